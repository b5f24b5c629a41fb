// natives: none
// Constants of the native half of http: the events of its parser (http::Event) and the flags of a head (src/modules/net/net_http.cpp).
'use strict';

module.exports = {
  kHead: 1,
  kBody: 2,
  kEnd: 3,
  kUpgraded: 4,
  kFailed: 6,
  kMinor: 1 << 10,
  kKeepAlive: 1 << 11,
  kUpgrade: 1 << 12,
  kComplete: 1 << 13,
  kHasHost: 1 << 14,
  kHasExpect: 1 << 15,
  kMore: 1 << 16,
  kHasBody: 1 << 17,
};
