// rxjs: operators over timers, promises, subjects; errors.
'use strict';
const assert = require('node:assert');
const { EventEmitter } = require('node:events');
const { Subject, firstValueFrom, from, fromEvent, interval, lastValueFrom, merge, of, throwError } = require('rxjs');
const { catchError, concatMap, delay, map, scan, take, toArray, retry } = require('rxjs/operators');

async function main() {
  assert.deepStrictEqual(await lastValueFrom(interval(1).pipe(take(4), map((n) => n * n), toArray())), [0, 1, 4, 9]);
  assert.deepStrictEqual(await lastValueFrom(from([3, 1, 2]).pipe(concatMap((n) => of(n).pipe(delay(n))), toArray())), [3, 1, 2]);
  assert.strictEqual(await lastValueFrom(merge(of(1, 2), Promise.resolve(3)).pipe(scan((a, b) => a + b, 0))), 6);
  const emitter = new EventEmitter();
  const heard = firstValueFrom(fromEvent(emitter, 'word'));
  emitter.emit('word', 'yes');
  assert.strictEqual(await heard, 'yes');
  let tries = 0;
  const failing = throwError(() => new Error(`try ${++tries}`)).pipe(retry(2), catchError((error) => of(error.message)));
  assert.strictEqual(await firstValueFrom(failing), 'try 3');
  const subject = new Subject();
  const got = [];
  const subscription = subject.subscribe((value) => got.push(value));
  subject.next(1);
  subscription.unsubscribe();
  subject.next(2);
  assert.deepStrictEqual(got, [1]);
  assert.strictEqual(typeof (await import('rxjs')).Observable, 'function');
}
let ended = false;
main().then(() => { ended = true; });
process.on('exit', () => assert(ended));
