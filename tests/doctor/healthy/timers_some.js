// A thousand intervals of a second and a few quick ones.
let n = 0; const all = []; for (let i = 0; i < 1000; i++) all.push(setInterval(() => n++, 1000 + i)); for (let i = 0; i < 10; i++) all.push(setInterval(() => n++, 5));
setTimeout(() => all.forEach(clearInterval), 3500);
