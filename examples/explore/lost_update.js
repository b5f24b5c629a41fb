// Two deposits to one account, each reads the balance, asks something else, and writes it back. Which of them gets lost?
// rondo explore examples/explore/lost_update.js
const fs = require('node:fs/promises');

const account = { balance: 0 };

async function deposit(amount) {
  const { balance } = account;
  await fs.stat(__filename); // asks whether the account is open
  account.balance = balance + amount;
}

async function afterLogin(amount) {
  await fs.stat(__filename);
  await deposit(amount);
}

Promise.all([afterLogin(10), afterLogin(20)]).then(() => console.log('balance', account.balance));
