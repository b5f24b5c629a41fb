// natives: none
// The doctor's part for resources that a program keeps: handles, timers, files, memory, promises; and collections. The rules are in
// growth.js; this asks the process, and only where the rules give reason. One for each runtime.
'use strict';

const fs = require('internal/fs/fs');
const { GrowingCount, MemoryGrowth, CollectionRate, kStep } = require('internal/observe/growth');
const frames = require('internal/observe/frames');

const kPage = 4096;
const kLongest = 60_000; // ms for a collection on a busy machine
const kMostStacks = 64;
const kEnoughOwn = 4;
const kWholeHeap = 512 * 1024 * 1024; // a larger one is not collected for the sake of a finding
const kFirstLost = 1000; // ms after which waiting functions are looked at; then after twice the time

class Leaks {
  constructor(doctor, number) {
    this.doctor = doctor;
    this.peer = doctor.peer;
    this.number = number;
    this.handles = new GrowingCount(16);
    this.timers = new GrowingCount(50);
    this.files = new GrowingCount(20);
    this.memory = new MemoryGrowth();
    this.collections = new CollectionRate();
    this.stacks = []; // where the program allocated
    this.ownStacks = []; // of these, where a collection began: memory outside of the heap has no others
    this.samples = false; // allocations are sampled
    this.nextLost = undefined;
  }

  see(pulse) {
    const { clock: now } = pulse;
    const { opened, closed } = countHandles(pulse.handles);
    this.judge('handles', this.handles.add(now, opened - closed, closed), this.handles);
    if (this.number === 0 && now - (this.lookedAt ?? 0) >= kStep) {
      this.lookedAt = now;
      this.judge('files', this.files.add(now, this.openFiles() - (opened - closed)), this.files);
    }
    this.seeMemory(pulse);
    this.seeCollections(pulse);
    this.nextLost ??= now + kFirstLost;
    if (now < this.nextLost) return;
    this.nextLost = now + 2 * (now - (this.nextLost - kFirstLost));
    this.askLost();
  }

  count({ activeTimers }, now) {
    this.judge('timers', this.timers.add(now, activeTimers), this.timers);
  }

  openFiles() {
    try {
      return fs.readdirSync(`/proc/${this.peer.pid}/fd`).length;
    } catch {
      return 0;
    }
  }

  // A leak is called by the place where most of it was made since suspicion arose.
  async judge(what, verdict, series) {
    if (verdict === '' || this.isJudging) return;
    if (verdict === 'suspicious') {
      if (!this.notes) this.peer.ask('noteOrigins', this.number);
      this.notes = true;
      return;
    }
    this.isJudging = true;
    const { grown, time } = series;
    const answer = await this.peer.ask('origins', this.number);
    this.isJudging = false;
    const place = answer?.said?.[what]?.[0];
    if (place === undefined) return;
    const cause = `${grown} more ${place.what} open in ${Math.round(time)} ms`;
    this.doctor.report('handle-leak', { function: place.function || '(anonymous)', place: frames.asPath(place.place) }, cause, time);
  }

  async seeMemory(pulse) {
    if (this.isCollecting || !this.memory.sees(pulse.clock, this.processBytes())) return;
    this.isCollecting = true;
    this.sampleAllocations(true);
    const heap = await this.wholeHeap(pulse);
    this.isCollecting = false;
    if (heap === undefined) return;
    const grownFrom = this.memory.sizes[0];
    const isLeak = this.memory.collected(pulse.clock, heap, this.processBytes());
    if (isLeak) {
      const mb = (bytes) => `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`;
      this.tellAllocation(
        'memory-leak',
        `collections left ${mb(grownFrom.heap)}, then ${mb(heap)} after ${Math.round(pulse.clock - grownFrom.now)} ms`,
        pulse.clock - grownFrom.now,
      );
    }
    if (!this.memory.isSuspicious) this.sampleAllocations(false);
  }

  // After a collection: one that is asked for, or of a large heap the program's own, if there was one since the last look.
  async wholeHeap(pulse) {
    if (pulse.heap <= kWholeHeap) return (await this.peer.askLater('collect', this.number, kLongest))?.said?.heap;
    const isNew = pulse.collections !== this.collectionsSeen;
    this.collectionsSeen = pulse.collections;
    return isNew ? pulse.heap : undefined;
  }

  processBytes() {
    try {
      return Number(stringSplit.call(fs.readFileSync(`/proc/${this.peer.pid}/statm`, 'utf8'), ' ')[1]) * kPage;
    } catch {
      return 0;
    }
  }

  async seeCollections(pulse) {
    if (this.samples || this.isPressed || !this.collections.isPressure(pulse)) return;
    this.isPressed = true;
    const { count, share } = this.collections;
    const kLong = 300;
    this.peer.send(`allocations a ${this.number} on`);
    await new Promise((resolve) => setTimeout(resolve, kLong));
    this.peer.send(`allocations a ${this.number} off`);
    this.isPressed = false;
    this.collections.forget();
    this.tellAllocation('gc-pressure', `${count} collections a second, ${Math.round(share * 100)} % of the time`, share * 1000);
    this.stacks = [];
  }

  tellAllocation(name, cause, ms) {
    const best = frames.mostAllocating(this.ownStacks.length >= kEnoughOwn ? this.ownStacks : this.stacks);
    if (best !== undefined) this.doctor.report(name, frames.describeIn(best.frames, best.at), cause, ms);
  }

  sampleAllocations(isOn) {
    if (this.samples === isOn) return;
    this.samples = isOn;
    this.peer.send(`allocations a ${this.number} ${isOn ? 'on' : 'off'}`);
    if (!isOn) {
      this.stacks = [];
      this.ownStacks = [];
      this.collections.forget();
    }
  }

  takeAllocation({ stack, isCollection }) {
    keepLast(this.stacks, stack);
    if (isCollection) keepLast(this.ownStacks, stack);
  }

  async askLost() {
    const answer = await this.peer.askLater('lost', this.number, 5000);
    this.doctor.takeLost(answer?.said?.lost ?? []);
  }
}

function keepLast(stacks, stack) {
  arrayPush.call(stacks, stack);
  if (stacks.length > kMostStacks) arrayShift.call(stacks);
}

function countHandles(handles) {
  const kinds = Object.keys(handles);
  let opened = 0,
    closed = 0;
  for (let i = 0; i < kinds.length; i++) {
    opened += handles[kinds[i]][0];
    closed += handles[kinds[i]][1];
  }
  return { opened, closed };
}

module.exports = { Leaks };
