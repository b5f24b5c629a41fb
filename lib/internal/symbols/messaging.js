// natives: none
// The protocol by which a JavaScript-made platform object takes part in structured clone. An object has, on its prototype:
//   [kClone]()         -> { data, deserializeInfo }  it may be cloned
//   [kTransfer]()      -> the same, when it stands in the transfer list
//   [kTransferList]()  -> further objects to transfer along
//   [kDeserialize](data) fills the fresh object on the other side
// deserializeInfo is 'module id:export', a constructor or factory of lib/. kReceive and kClosed are how the holder of a port hears
// of a message and of the end (internal/messaging/post_message); one of another realm makes ports that come with its messages by
// kMakePort(end), or everything that lib/ has made by kRevive(deserializeInfo, data).
'use strict';

module.exports = {
  kClone: Symbol('messaging_clone_symbol'),
  kTransfer: Symbol('messaging_transfer_symbol'),
  kTransferList: Symbol('messaging_transfer_list_symbol'),
  kDeserialize: Symbol('messaging_deserialize_symbol'),
  kReceive: Symbol('receive'),
  kClosed: Symbol('closed'),
  kMakePort: Symbol('make port'),
  kRevive: Symbol('revive'),
};
