// expect slow-start *
for (let i = 1; i <= 12; i++) require('./start_mods/m' + i + '.js');
setTimeout(() => {}, 50);
