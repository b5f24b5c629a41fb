// expect pool-saturation derive
async function derive(password) {
  const key = await crypto.subtle.importKey('raw', Buffer.from(password), 'PBKDF2', false, ['deriveBits']);
  return crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-512', salt: Buffer.from('salt'), iterations: 250000 }, key, 512);
}
Promise.all(Array.from({ length: 24 }, (_, i) => derive('password' + i)));
