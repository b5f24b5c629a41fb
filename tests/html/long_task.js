// S205, S13: a task of more than 50 ms is reported with its start and duration; what comes meanwhile waits for its end.
new PerformanceObserver((list) => {
  for (const { entryType, name, startTime, duration } of list.getEntries()) console.log(entryType, name, startTime, duration);
}).observe({ entryTypes: ['longtask'] });
setTimeout(() => rondo.advance(50), 5);
setTimeout(() => {
  rondo.advance(300);
  Promise.resolve().then(() => rondo.advance(20));
}, 100);
setTimeout(() => console.log('due at 150, ran at', performance.now()), 150);
