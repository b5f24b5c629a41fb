// exit: 0
onerror = (message, file, line, column, error) => { console.log('prevented', error.message, message); return true; };
setTimeout(() => { throw new Error('x'); });
