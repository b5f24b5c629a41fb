// S4: arguments and locals outlive their frame when a closure holds them and a later task reads them.
function remember(argument) {
  const local = `local of ${argument}`;
  setTimeout(() => console.log(argument, '/', local), 1);
  setImmediate(() => console.log('immediate sees', local));
  return 'frame gone';
}

console.log(remember('first'));
const end = Date.now() + 5;
while (Date.now() < end);
