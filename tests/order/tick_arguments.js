// S87: what follows the callback is handed to it.
process.nextTick(console.log, 1, 2, 3);
process.nextTick((...args) => console.log(args.length, args.join('-')), 'a', 'b', 'c', 'd', 'e');
process.nextTick((...args) => console.log(args.length));
