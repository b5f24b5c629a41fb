let n = 0; for (let i = 0; i < 200; i++) setTimeout(() => n++, i * 5); const t = setInterval(() => n++, 10); setTimeout(() => clearInterval(t), 1500);
