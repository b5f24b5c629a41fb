// natives: none
// PerformanceResourceTiming (https://w3c.github.io/resource-timing/), filled from the timing information a fetch gives.
'use strict';

const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR },
} = require('internal/errors/coded');
const { PerformanceEntry, kMake, finish } = require('internal/perf/entries');

const kTimes = [
  'redirectStart',
  'redirectEnd',
  'fetchStart',
  'domainLookupStart',
  'domainLookupEnd',
  'connectStart',
  'connectEnd',
  'secureConnectionStart',
  'requestStart',
  'responseStart',
  'responseEnd',
];

let infoOf;

class PerformanceResourceTiming extends PerformanceEntry {
  #info;

  constructor(token, url, initiatorType, timing, cacheMode, body) {
    if (token !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    super(kMake, url, 'resource', timing.startTime, timing.endTime - timing.startTime, undefined);
    this.#info = { initiatorType, timing, cacheMode, body };
  }

  static {
    infoOf = (entry) => entry.#info;
  }

  get initiatorType() {
    return infoOf(this).initiatorType;
  }

  get workerStart() {
    return infoOf(this).timing.finalServiceWorkerStartTime;
  }

  get redirectStart() {
    return infoOf(this).timing.redirectStartTime;
  }

  get redirectEnd() {
    return infoOf(this).timing.redirectEndTime;
  }

  get fetchStart() {
    return infoOf(this).timing.postRedirectStartTime;
  }

  get domainLookupStart() {
    return infoOf(this).timing.finalConnectionTimingInfo?.domainLookupStartTime;
  }

  get domainLookupEnd() {
    return infoOf(this).timing.finalConnectionTimingInfo?.domainLookupEndTime;
  }

  get connectStart() {
    return infoOf(this).timing.finalConnectionTimingInfo?.connectionStartTime;
  }

  get connectEnd() {
    return infoOf(this).timing.finalConnectionTimingInfo?.connectionEndTime;
  }

  get secureConnectionStart() {
    return infoOf(this).timing.finalConnectionTimingInfo?.secureConnectionStartTime;
  }

  get nextHopProtocol() {
    return infoOf(this).timing.finalConnectionTimingInfo?.ALPNNegotiatedProtocol;
  }

  get requestStart() {
    return infoOf(this).timing.finalNetworkRequestStartTime;
  }

  get responseStart() {
    return infoOf(this).timing.finalNetworkResponseStartTime;
  }

  get responseEnd() {
    return infoOf(this).timing.endTime;
  }

  get encodedBodySize() {
    return infoOf(this).timing.encodedBodySize;
  }

  get decodedBodySize() {
    return infoOf(this).timing.decodedBodySize;
  }

  get transferSize() {
    const { cacheMode, timing } = infoOf(this);
    if (cacheMode === 'local') return 0;
    return cacheMode === 'validated' ? 300 : timing.encodedBodySize + 300;
  }

  get deliveryType() {
    return infoOf(this).body?.deliveryType ?? '';
  }

  get responseStatus() {
    return infoOf(this).body?.responseStatus ?? 0;
  }

  toJSON() {
    const shown = { ...super.toJSON(), initiatorType: this.initiatorType, nextHopProtocol: this.nextHopProtocol };
    shown.workerStart = this.workerStart;
    for (const name of each([...each(kTimes), 'transferSize', 'encodedBodySize', 'decodedBodySize', 'deliveryType', 'responseStatus'])) {
      shown[name] = this[name];
    }
    return shown;
  }
}

finish(
  PerformanceResourceTiming,
  [
    'initiatorType',
    'workerStart',
    ...each(kTimes),
    'nextHopProtocol',
    'encodedBodySize',
    'decodedBodySize',
    'transferSize',
    'deliveryType',
    'responseStatus',
    'toJSON',
  ],
  'PerformanceResourceTiming',
);

function makeResourceTiming(url, initiatorType, timing, cacheMode, status, deliveryType) {
  return new PerformanceResourceTiming(kMake, url, initiatorType, timing, cacheMode, { responseStatus: status, deliveryType });
}

module.exports = { PerformanceResourceTiming, makeResourceTiming };
