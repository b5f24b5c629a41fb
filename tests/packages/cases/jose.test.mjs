// jose: signed and encrypted tokens over crypto.subtle, with keys in every form it takes.
import assert from 'node:assert';
import * as jose from 'jose';

for (const alg of ['HS256', 'RS256', 'PS256', 'ES256', 'ES384', 'EdDSA']) {
  const isSecret = alg.startsWith('HS');
  const pair = isSecret ? undefined : await jose.generateKeyPair(alg, { extractable: true });
  const own = isSecret ? new TextEncoder().encode('x'.repeat(32)) : pair.privateKey;
  const other = isSecret ? own : pair.publicKey;
  const token = await new jose.SignJWT({ name: 'ada' }).setProtectedHeader({ alg }).setIssuedAt().setExpirationTime('2h').sign(own);
  const { payload } = await jose.jwtVerify(token, other);
  assert.strictEqual(payload.name, 'ada');
  await assert.rejects(jose.jwtVerify(`${token.slice(0, -8)}AAAAAAAA`, other), { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' });
  if (isSecret) continue;
  const again = await jose.importPKCS8(await jose.exportPKCS8(own), alg);
  await jose.compactVerify(await new jose.CompactSign(new Uint8Array(3)).setProtectedHeader({ alg }).sign(again), await jose.importJWK(await jose.exportJWK(other), alg));
}

for (const [alg, enc] of [['dir', 'A256GCM'], ['A128KW', 'A128CBC-HS256'], ['A256GCMKW', 'A256GCM'], ['RSA-OAEP-256', 'A192GCM'], ['ECDH-ES+A128KW', 'A128GCM'], ['PBES2-HS256+A128KW', 'A128GCM']]) {
  const isPair = alg.startsWith('RSA') || alg.startsWith('ECDH');
  const pair = isPair ? await jose.generateKeyPair(alg) : undefined;
  const size = alg === 'A128KW' ? 16 : 32;
  const own = isPair ? pair.publicKey : new Uint8Array(size).fill(7);
  const token = await new jose.CompactEncrypt(new TextEncoder().encode('secret')).setProtectedHeader({ alg, enc }).encrypt(own);
  const options = { keyManagementAlgorithms: [alg] };
  const { plaintext } = await jose.compactDecrypt(token, isPair ? pair.privateKey : own, options);
  assert.strictEqual(new TextDecoder().decode(plaintext), 'secret');
}
