// S117: the same with chains of two reactions per timer.
const timer = (n) => {
  setTimeout(() => {
    console.log(`Timeout ${n}`);
    Promise.resolve().then(() => console.log(`Promise 1 ${n}`)).then(() => console.log(`Promise 2 ${n}`));
  }, 0);
};
timer(0);
timer(1);
const end = Date.now() + 5;
while (Date.now() < end);
