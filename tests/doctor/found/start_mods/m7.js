const end = Date.now() + 120; let n = 0; while (Date.now() < end) n++; module.exports = { n };
