// Intervals of 10 and 25: their times decide. At 50 both are due, and the one that was started longer ago is first.
// outcome: ten ten twenty-five ten ten end
let n = 0;
const ten = setInterval(() => console.log('ten') ?? (++n === 4 && (clearInterval(ten), console.log('end'))), 10);
const slow = setInterval(() => console.log('twenty-five') ?? clearInterval(slow), 25);
