// env: TZ=Europe/Paris
// date-fns: formats, parses, counts, in a zone with summer time; another locale.
'use strict';
const assert = require('node:assert');
const { addDays, differenceInCalendarDays, eachDayOfInterval, format, formatDistance, parse, parseISO } = require('date-fns');
const { fr } = require('date-fns/locale');

const date = new Date(2024, 2, 30, 12, 5);
assert.strictEqual(format(date, "yyyy-MM-dd'T'HH:mm:ssxxx"), '2024-03-30T12:05:00+01:00');
assert.strictEqual(format(addDays(date, 1), 'PPPPpp xxx'), 'Sunday, March 31st, 2024 at 12:05:00 PM +02:00');
assert.strictEqual(format(date, 'EEEE d MMMM', { locale: fr }), 'samedi 30 mars');
assert.strictEqual(differenceInCalendarDays(new Date(2024, 3, 2), date), 3);
assert.strictEqual(eachDayOfInterval({ start: date, end: addDays(date, 2) }).length, 3);
assert.strictEqual(formatDistance(date, addDays(date, 3)), '3 days');
assert.strictEqual(parse('02/01/2024', 'dd/MM/yyyy', date).getTime(), parseISO('2024-01-02').getTime());
import('date-fns').then((imported) => assert.strictEqual(imported.format(date, 'yyyy'), '2024'));
