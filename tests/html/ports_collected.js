// flags: --expose-gc
// A channel whose two ports nobody can reach any more goes, started and with handlers or not; one that a port of it can be reached of stays.
const refs = [];
let got = 0;
function make() {
  for (let i = 0; i < 50; i++) {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => got++;
    port1.postMessage(i);
    refs.push(new WeakRef(port1), new WeakRef(port2));
  }
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = ({ data }) => console.log('kept', data);
  return port1;
}
const kept = make();
let rounds = 0;
function look() {
  gc();
  const alive = refs.filter((ref) => ref.deref() !== undefined).length;
  if (got === 50 && alive < 50) {
    console.log('got', got, 'most ports have gone');
    kept.postMessage('message');
  } else if (++rounds < 50) {
    setTimeout(look, 10);
  } else {
    console.log('got', got, 'alive', alive);
  }
}
setTimeout(look, 10);
