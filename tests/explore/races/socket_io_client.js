// package: socket.io-client@2.1.1
// Two sockets of one manager whose server is away; the second is opened while the manager waits to connect again: it may stop trying.
'use strict';

const net = require('net');
const io = require('socket.io-client');
const { outcome } = require('rondo:explore');

const manager = io.Manager('http://127.0.0.1:9823', { reconnection: true, reconnectionAttempts: 2, reconnectionDelay: 10, randomizationFactor: 0, transports: ['websocket'] });
const events = [];
manager.on('reconnect_attempt', () => events.push('attempt')).on('reconnect_failed', () => events.push('failed'));
process.on('exit', () => outcome(events.join(' ')));
manager.socket('/one');
setTimeout(() => manager.socket('/two'), 9);
