console.log('blocking', document.querySelector('#after') === null, document.currentScript.src.endsWith('blocking.js')); queueMicrotask(() => console.log('microtask of blocking'));
