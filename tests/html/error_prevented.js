// exit: 0
onerror = (event) => { event.preventDefault(); console.log('prevented', event.error.message); };
setTimeout(() => { throw new Error('x'); });
