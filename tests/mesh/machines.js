'use strict';
// Three machines for tests/mesh/faults.js, each with a nats-server of one cluster: network namespaces on a bridge where this process may make
// them, so that a link can be cut; else processes on loopback, whose servers are stopped instead.
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { freePort } = require('../fixtures/mesh');

const ip = (...words) => spawnSync('ip', words, { encoding: 'utf8' }).status === 0;
const kDiskSize = 512 << 20; // of the machine with a small disk

class Machine {
  constructor(cluster, index) {
    Object.assign(this, { cluster, index, children: new Set(), isCut: false });
    this.namespace = `${cluster.tag}n${index}`;
    this.link = `${cluster.tag}v${index}`;
  }
  makeNetwork() {
    const peer = `${this.cluster.tag}p${this.index}`;
    return (
      ip('netns', 'add', this.namespace) &&
      ip('link', 'add', this.link, 'type', 'veth', 'peer', 'name', peer) &&
      ip('link', 'set', this.link, 'master', this.cluster.bridge) &&
      ip('link', 'set', this.link, 'up') &&
      ip('link', 'set', peer, 'netns', this.namespace) &&
      ip('-n', this.namespace, 'addr', 'add', `${this.host}/24`, 'dev', peer) &&
      ip('-n', this.namespace, 'link', 'set', peer, 'up') &&
      ip('-n', this.namespace, 'link', 'set', 'lo', 'up')
    );
  }
  get host() {
    return this.cluster.hasNetwork ? `10.${this.cluster.net}.0.${this.index + 1}` : '127.0.0.1';
  }
  get url() {
    return `nats://${this.host}:${this.port}`;
  }
  run(command, args, log) {
    const out = fs.openSync(log, 'a');
    const inside = this.cluster.hasNetwork ? ['ip', 'netns', 'exec', this.namespace] : [];
    const [file, ...rest] = [...inside, command, ...args];
    const child = spawn(file, rest, { cwd: this.cluster.folder, stdio: ['ignore', out, out] }); // nats-server 2.9.10 may write there
    fs.closeSync(out);
    this.children.add(child);
    child.on('exit', () => this.children.delete(child));
    return child;
  }
  startServer() {
    this.server = this.run('nats-server', ['-c', this.config], path.join(this.cluster.folder, `server${this.index}.log`));
  }
  setLink(isUp) {
    this.isCut = !isUp;
    ip('link', 'set', this.link, isUp ? 'up' : 'down');
  }
  get store() {
    return path.join(this.cluster.folder, `store${this.index}`);
  }
  // JetStream's folder as a file system of its own, so that it can be full; false without the right to mount.
  makeDisk() {
    fs.mkdirSync(this.store);
    this.hasDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kDiskSize}`, 'tmpfs', this.store]).status === 0;
  }
  // Not a byte is left.
  fillDisk() {
    const filler = fs.openSync(path.join(this.store, 'filler'), 'w');
    for (const size of [1 << 20, 4096]) {
      const bytes = Buffer.alloc(size);
      for (let written = size; written === size; ) {
        try {
          written = fs.writeSync(filler, bytes);
        } catch (error) {
          if (error.code !== 'ENOSPC') throw error;
          written = 0;
        }
      }
    }
    fs.closeSync(filler);
  }
  emptyDisk() {
    fs.rmSync(path.join(this.store, 'filler'));
  }
  // How often the server has said that its disk is full
  get complaints() {
    const log = fs.readFileSync(path.join(this.cluster.folder, `server${this.index}.log`), 'latin1');
    return log.match(/no space left on device|out of (?:file )?(?:space|resources|storage)/gi)?.length ?? 0;
  }
}

class Cluster {
  constructor() {
    this.log = []; // faults
    this.tag = `rm${process.pid % 100_000}`;
    this.bridge = `${this.tag}b`;
    this.net = 100 + (process.pid % 100);
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-mesh-'));
    this.machines = [0, 1, 2].map((index) => new Machine(this, index));
    process.on('exit', () => this.remove());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
  }
  makeNetwork() {
    this.hasNetwork = true;
    const isMade =
      ip('link', 'add', this.bridge, 'type', 'bridge') &&
      ip('addr', 'add', `10.${this.net}.0.254/24`, 'dev', this.bridge) &&
      ip('link', 'set', this.bridge, 'up') &&
      this.machines.every((machine) => machine.makeNetwork());
    if (!isMade) this.removeNetwork();
    this.hasNetwork = isMade;
  }
  async start() {
    this.makeNetwork();
    for (const machine of this.machines) {
      machine.port = this.hasNetwork ? 4222 : await freePort();
      machine.route = this.hasNetwork ? 6222 : await freePort();
    }
    this.small = this.machines[2];
    this.small.makeDisk();
    const routes = this.machines.map((machine) => `"nats-route://${machine.host}:${machine.route}"`).join(', ');
    for (const machine of this.machines) {
      machine.config = path.join(this.folder, `server${machine.index}.conf`);
      fs.writeFileSync(
        machine.config,
        `server_name: m${machine.index}\nlisten: "${machine.host}:${machine.port}"\nping_interval: "2s"\nping_max: 2\nwrite_deadline: "2s"\n` +
          `jetstream { store_dir: "${machine.store}", max_mem: 256M, max_file: 4G }\n` +
          `cluster { name: mesh, listen: "${machine.host}:${machine.route}", routes: [${routes}] }\n`,
      );
      machine.startServer();
    }
  }
  get urls() {
    return this.machines.map((machine) => machine.url);
  }
  removeNetwork() {
    for (const machine of this.machines) {
      ip('link', 'del', machine.link);
      ip('netns', 'del', machine.namespace);
    }
    ip('link', 'del', this.bridge);
  }
  remove() {
    for (const machine of this.machines) for (const child of machine.children) child.kill('SIGKILL');
    if (this.hasNetwork) this.removeNetwork();
    if (this.small?.hasDisk) spawnSync('umount', ['-l', this.small.store]);
    if (process.env.RONDO_KEEP === undefined) fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

module.exports = { Cluster };
