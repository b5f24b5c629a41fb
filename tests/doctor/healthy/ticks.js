let n = 0; setInterval(function () { for (let i = 0; i < 100; i++) process.nextTick(() => n++); if (n > 5000) clearInterval(this); }, 5);
