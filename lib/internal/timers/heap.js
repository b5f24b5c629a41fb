// natives: none
// A binary heap of timer lists by expiry, each list knowing its place, so that removal needs no search. Ties keep the order of
// insertion well enough: the list that was there first is not overtaken by an equal one.
'use strict';

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
    if (index > 0 && items[(index - 1) >> 1].expiry > last.expiry) this.#rise(index, last);
    else this.#sink(index, last);
  }

  // The first list's expiry has grown.
  sinkFirst() {
    this.#sink(0, this.#items[0]);
  }

  #rise(index, list) {
    const items = this.#items;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = items[parent];
      if (above.expiry <= list.expiry) break;
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
      if (right < items.length && items[right].expiry < items[child].expiry) child = right;
      const below = items[child];
      if (below.expiry >= list.expiry) break;
      items[index] = below;
      below.heapIndex = index;
      index = child;
    }
    items[index] = list;
    list.heapIndex = index;
  }
}

module.exports = { TimerHeap };
