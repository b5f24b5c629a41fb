// Intervals of 10 and 25: their times decide, and how late the loop wakes. An interval starts anew when its callback has run, so that the
// second ten comes after 25 when the first was 5 late. Node 26 on a busy machine shows both.
// outcome: ten ten twenty-five ten ten end
// outcome: ten twenty-five ten ten ten end
let n = 0;
const ten = setInterval(() => console.log('ten') ?? (++n === 4 && (clearInterval(ten), console.log('end'))), 10);
const slow = setInterval(() => console.log('twenty-five') ?? clearInterval(slow), 25);
