(async () => { for (let i = 0; i < 100; i++) { for (let k = 0; k < 100; k++) await null; await new Promise((r) => setTimeout(r, 3)); } })();
