// expect synchronous-block validate
function validate(s) { return /^(?:[a-zA-Z0-9]+)+$/.test(s); }
setTimeout(() => { validate('a'.repeat(26) + '!'); }, 20);
