// natives: os
// node:os. The functions that answer with one value also convert to it: `${os.hostname}`.
'use strict';

const os = native('os');
const {
  codes: { ERR_SYSTEM_ERROR },
} = require('internal/errors/coded');
const errno = require('internal/errors/errno');
const { validateInt32 } = require('internal/util/validators');

function systemError(number, syscall) {
  return new ERR_SYSTEM_ERROR({ errno: number, code: errno.codeOf(number), message: errno.messageOf(number), syscall });
}

const [sysname, sysversion, sysrelease, sysmachine] = each(os.information());

const arch = () => process.arch;
const availableParallelism = () => os.parallelism();
const endianness = () => (new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 'LE' : 'BE');
const freemem = () => os.freeMemory();
const hostname = () => os.information()[4];
const loadavg = () => os.loadAverage();
const machine = () => sysmachine;
const platform = () => process.platform;
const release = () => sysrelease;
const totalmem = () => os.totalMemory();
const type = () => sysname;
const uptime = () => os.uptime();
const version = () => sysversion;

function user() {
  const found = os.userInformation();
  if (typeof found === 'number') throw systemError(found, 'uv_os_get_passwd');
  return found;
}

function homedir() {
  const { HOME } = process.env;
  if (HOME !== undefined && HOME !== '') return HOME;
  return require('internal/buffer/buffer').Buffer.from(user()[3]).toString();
}

function tmpdir() {
  const path = process.env.TMPDIR || process.env.TMP || process.env.TEMP || '/tmp';
  return path.length > 1 && stringEndsWith.call(path, '/') ? stringSlice.call(path, 0, -1) : path;
}

function cpus() {
  const flat = os.cpus();
  const result = [];
  for (let i = 0; i < flat.length; i += 7) {
    const [model, speed, userTime, nice, sys, idle, irq] = each(arraySlice.call(flat, i, i + 7));
    arrayPush.call(result, { model, speed, times: { user: userTime, nice, sys, idle, irq } });
  }
  return result;
}

function networkInterfaces() {
  const flat = os.interfaces();
  if (typeof flat === 'number') throw systemError(flat, 'uv_interface_addresses');
  const result = {};
  for (let i = 0; i < flat.length; i += 8) {
    const [name, address, netmask, family, mac, internal, prefix, scopeid] = each(arraySlice.call(flat, i, i + 8));
    const entry = { address, netmask, family, mac, internal, cidr: prefix === -1 ? null : `${address}/${prefix}` };
    if (scopeid !== -1) entry.scopeid = scopeid;
    arrayPush.call((result[name] ??= []), entry);
  }
  return result;
}

function setPriority(pid, priority) {
  if (priority === undefined) {
    priority = pid;
    pid = 0;
  }
  validateInt32(pid, 'pid');
  validateInt32(priority, 'priority', -20, 19);
  const result = os.setPriority(pid, priority);
  if (result !== 0) throw systemError(result, 'uv_os_setpriority');
}

function getPriority(pid) {
  if (pid === undefined) pid = 0;
  else validateInt32(pid, 'pid');
  const result = os.getPriority(pid);
  if (typeof result !== 'number') throw systemError(result[0], 'uv_os_getpriority');
  return result;
}

function userInfo(options) {
  const encoding = typeof options === 'object' && options !== null ? options.encoding : undefined;
  const { Buffer } = require('internal/buffer/buffer');
  const [uid, gid, ...texts] = each(user());
  const [username, home, shell] = each(
    arrayMap.call(texts, (bytes) => {
      const buffer = Buffer.from(bytes.buffer);
      return encoding === 'buffer' ? buffer : buffer.toString(Buffer.isEncoding(encoding) ? encoding : 'utf8');
    }),
  );
  return { __proto__: null, uid, gid, username, homedir: home, shell };
}

for (const fn of each([
  arch,
  availableParallelism,
  endianness,
  freemem,
  homedir,
  hostname,
  machine,
  platform,
  release,
  tmpdir,
  totalmem,
  type,
  uptime,
  version,
])) {
  fn[Symbol.toPrimitive] = () => fn();
}

module.exports = {
  arch,
  availableParallelism,
  cpus,
  endianness,
  freemem,
  getPriority,
  homedir,
  hostname,
  loadavg,
  networkInterfaces,
  platform,
  release,
  setPriority,
  tmpdir,
  totalmem,
  type,
  userInfo,
  uptime,
  version,
  machine,
};

Object.defineProperties(module.exports, {
  constants: { __proto__: null, configurable: false, enumerable: true, value: require('internal/os/constants') },
  EOL: { __proto__: null, configurable: true, enumerable: true, writable: false, value: '\n' },
  devNull: { __proto__: null, configurable: true, enumerable: true, writable: false, value: '/dev/null' },
});
