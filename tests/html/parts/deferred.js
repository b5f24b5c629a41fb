console.log('deferred', document.readyState, document.querySelector('#after') !== null);
