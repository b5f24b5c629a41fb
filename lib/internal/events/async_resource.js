// natives: none
// EventEmitterAsyncResource: an emitter whose listeners run in its own async context.
// Loaded by node/events when first asked for, because async_hooks needs events to be ready.
'use strict';

const EventEmitter = require('internal/events/events');
const { AsyncResource } = require('internal/async_hooks/async_hooks');
const { validateString } = require('internal/util/validators');

class EventEmitterReferencingAsyncResource extends AsyncResource {
  #eventEmitter;

  constructor(emitter, type, options) {
    super(type, options);
    this.#eventEmitter = emitter;
  }

  get eventEmitter() {
    return this.#eventEmitter;
  }
}

class EventEmitterAsyncResource extends EventEmitter {
  #asyncResource;

  constructor(options = undefined) {
    let name;
    if (typeof options === 'string') {
      name = options;
      options = undefined;
    } else {
      if (new.target === EventEmitterAsyncResource) validateString(options?.name, 'options.name');
      name = options?.name || new.target.name;
    }
    super(options);
    this.#asyncResource = new EventEmitterReferencingAsyncResource(this, name, options);
  }

  emit(event, ...args) {
    return this.#asyncResource.runInAsyncScope(super.emit, this, event, ...each(args));
  }

  emitDestroy() {
    this.#asyncResource.emitDestroy();
  }
  get asyncId() {
    return this.#asyncResource.asyncId();
  }
  get triggerAsyncId() {
    return this.#asyncResource.triggerAsyncId();
  }
  get asyncResource() {
    return this.#asyncResource;
  }
}

module.exports = { EventEmitterAsyncResource };
