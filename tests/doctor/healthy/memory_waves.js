// Memory that is taken and given back in waves of two seconds.
let kept = []; setInterval(() => { for (let i = 0; i < 10; i++) kept.push(new Array(2000).fill(i)); }, 10); setInterval(() => { kept = []; }, 1500); setTimeout(() => process.exit(0), 7000);
