// expect timer-flood small
let n = 0; function small() { n += Math.sqrt(n); for (let i = 0; i < 500; i++) n += i; }
function flood() { for (let i = 0; i < 300000; i++) setTimeout(small, 5); }
setTimeout(flood, 20);
