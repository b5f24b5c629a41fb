// expect slow-start loadDictionary
function loadDictionary() { const words = {}; for (let i = 0; i < 40; i++) { const text = JSON.stringify(Array.from({ length: 20000 }, (_, k) => 'word' + k + i)); for (const w of JSON.parse(text)) words[w] = text.length; } return words; }
function init() { return loadDictionary(); }
init(); setTimeout(() => {}, 10);
