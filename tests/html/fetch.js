// S179: an answer is a task of the networking source; what another origin answers is the page's only if that origin allows it.
rondo.route('https://example.com/open', { body: '{"a": 1}', delay: 20, headers: { 'access-control-allow-origin': '*' } });
rondo.route('https://example.com/closed', { body: 'secret' });
rondo.route('https://example.com/broken', { error: true });
fetch('https://example.com/open').then((response) => response.json()).then(({ a }) => console.log('json', a, performance.now()));
fetch('https://example.com/closed').catch((error) => console.log(error.name, error.message));
fetch('https://example.com/broken').catch((error) => console.log(error.name));
const controller = new AbortController();
fetch('https://example.com/open', { signal: controller.signal }).catch((error) => console.log(error.name));
controller.abort();
