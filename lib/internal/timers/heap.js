// natives: none
// A binary heap of timer lists by expiry, each list knowing its place, so that removal needs no search. Of equal ones the list that got its
// expiry first is first: each gets a number with it, as in Node.
'use strict';

let lastNumber = 0;

const isBefore = (one, other) => one.expiry < other.expiry || (one.expiry === other.expiry && one.number < other.number);

class TimerHeap {
  #items = [];

  peek() {
    return this.#items[0];
  }

  has(list) {
    return list.heapIndex >= 0;
  }

  insert(list) {
    const items = this.#items;
    list.number = ++lastNumber;
    arrayPush.call(items, list);
    this.#rise(items.length - 1, list);
  }

  remove(list) {
    const items = this.#items;
    const index = list.heapIndex;
    if (index < 0) return;
    list.heapIndex = -1;
    const last = arrayPop.call(items);
    if (last === list) return;
    if (index > 0 && isBefore(last, items[(index - 1) >> 1])) this.#rise(index, last);
    else this.#sink(index, last);
  }

  // The first list's expiry has grown.
  sinkFirst() {
    this.#items[0].number = ++lastNumber;
    this.#sink(0, this.#items[0]);
  }

  #rise(index, list) {
    const items = this.#items;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = items[parent];
      if (isBefore(above, list)) break;
      items[index] = above;
      above.heapIndex = index;
      index = parent;
    }
    items[index] = list;
    list.heapIndex = index;
  }

  #sink(index, list) {
    const items = this.#items;
    const half = items.length >> 1;
    while (index < half) {
      let child = 2 * index + 1;
      const right = child + 1;
      if (right < items.length && isBefore(items[right], items[child])) child = right;
      const below = items[child];
      if (isBefore(list, below)) break;
      items[index] = below;
      below.heapIndex = index;
      index = child;
    }
    items[index] = list;
    list.heapIndex = index;
  }
}

module.exports = { TimerHeap };
