import { describe, expect, it } from 'vitest';
import { withDeclared } from '../../support/builders.ts';
import { aRequest, findingsOn, found, library } from './stations.ts';

describe('a request for fuel', () => {
  it.each([
    ['Ich muss tanken, wo bekomme ich Diesel für höchstens 1,70 € pro Liter?', 'pass'],
    ['Fahr mich zur nächsten Aral Tankstelle.', 'pass'],
    ['Mein Tank ist fast leer, ich brauche Super E10 und einen Shop.', 'pass'],
    ['Wo kann ich Super Plus tanken?', 'fuel'],
    ['Such eine Tankstelle mit Waschanlage, auf keinen Fall Aral.', '? brand,amenities'],
    ['Bring mich zu einer Tankstelle, die Benzin unter 1,60 Euro hat.', 'price'],
    ['I need gas, something with a convenience store.', 'pass'],
    ['Where is the nearest Shell or Esso?', 'brand'],
    ['Where is the nearest Shell or Aral?', 'pass'],
    ['Find me diesel for around 1.65 €.', 'pass'],
    ['Find me diesel for around 1.64 €.', 'price'],
    ['Find me diesel within 3 minutes.', 'location'],
    // The price of none can be held against "the cheapest".
    ['Find me the cheapest diesel around here.', '? price'],
    ['Can you find a gas station with LPG?', 'fuel'],
    ['No diesel, I need E10.', '? fuel'],
    ['Anything but Aral, diesel please.', '? brand'],
    ['A gas station without a shop.', '? amenities'],
    // An unknown word leaves its own criterion open, no other.
    ['A gas station near the Shell tower.', '? brand'],
    ['Find a restaurant nearby.', '? fuel,price,brand,amenities'],
  ])('%s → %s', async (text, expected) => {
    expect(await found('fuel-station', aRequest('fuel-station', text))).toBe(expected);
  });

  it.each([
    ['the car takes what is there', 'Diesel', 'pass'],
    ['the car takes another fuel', 'LPG', 'fuel'],
    ['the car takes either of two', 'LPG or petrol', 'pass'],
    ['the fuel of the car is not known here', 'plutonium', '? fuel'],
  ])('where %s', async (_, carFuel, expected) => {
    const evalCase = aRequest('fuel-station', 'I need to refuel.');
    const context = { ...evalCase.context, carFuel };
    expect(await found('fuel-station', withDeclared(evalCase, { context }))).toBe(expected);
  });

  it.each([
    ['a narrower grade is enough', 'Petrol, please.', ['Super E10'], 'pass'],
    ['a wider name may or may not be it', 'Super E10, please.', ['Petrol'], '? fuel'],
    ['an unknown item may be it', 'Diesel, please.', ['Dynamo 3000'], '? fuel'],
    ['of two fuels one may be another’s', 'My friend drives a diesel, but I need petrol.', ['E10'], '? fuel'],
    ['an empty list has nothing', 'Diesel, please.', [], 'fuel'],
  ])('%s', async (_, text, fuels, expected) => {
    expect(await found('fuel-station', aRequest('fuel-station', text, { fuels }))).toBe(expected);
  });
});

describe('a request to charge', () => {
  it.each([
    ['Der Akku ist fast leer, wo kann ich mit mindestens 100 kW laden?', 'pass'],
    ['Finde eine freie Ladesäule mit CHAdeMO.', 'plug'],
    ['Ich suche einen Schnelllader mit 300 kW.', 'power'],
    ['Eine Ladestation unter 0,50 € pro kWh mit WLAN, bitte.', 'price,amenities'],
    ['I want to charge at 150 kW or more and get a coffee meanwhile.', 'pass'],
    ['Find a charging station with more than 150 kW.', 'power'],
    ['Navigate to a Type 2 charger.', 'plug'],
    ['Take me to a fast charger.', '? power'],
    // What the car can take is no limit to what the station has.
    ['My car can charge with up to 50 kW. Where is a station?', '? power'],
    ['Not Type 2, I need CCS.', '? plug'],
    ['Where can I charge my car for around 0.60 € per kWh?', 'pass'],
  ])('%s → %s', async (text, expected) => {
    expect(await found('charging-station', aRequest('charging-station', text))).toBe(expected);
  });

  it.each([
    // Nine tenths of the range: 3 km of 3.4 km fit (3.06), of 3.3 km do not (2.97).
    [3.4, 'pass'],
    [3.3, 'range'],
  ])('with %d km left → %s', async (rangeKm, expected) => {
    const evalCase = aRequest('charging-station', 'Where can I charge?');
    const context = { ...evalCase.context, rangeKm };
    expect(await found('charging-station', withDeclared(evalCase, { context }))).toBe(expected);
  });
});

describe('a request for a function of the car', () => {
  it.each([
    [
      'Öffne bitte das Fenster auf der Fahrerseite.',
      { device: ['window'], operation: ['open'], target: ['driver'] },
      'pass',
    ],
    [
      'Mach das Fenster hinten links zu.',
      { device: ['Fenster'], operation: ['close'], target: ['hinten rechts'] },
      'target',
    ],
    [
      'Kannst du die Sitzheizung auf Stufe 2 stellen?',
      { device: ['Sitzheizung'], operation: ['set'], value: 3 },
      'value',
    ],
    ['Schalte das Radio aus.', { device: ['radio'], operation: ['turn off'] }, 'pass'],
    ['Stell die Temperatur auf 22 Grad.', { device: ['temperature'], operation: ['set'], value: 22 }, 'pass'],
    [
      'Start the radio and close the sunroof.',
      { device: ['radio'], operation: ['turn on'] },
      'function,operation',
    ],
    [
      'Roll down the passenger window, please.',
      { device: ['window'], operation: ['open'], target: ['passenger'] },
      'pass',
    ],
    [
      'Turn the heated steering wheel on.',
      { device: ['steering wheel heating'], operation: ['turn on'] },
      'pass',
    ],
    ['Turn up the volume.', { device: ['volume'], operation: ['lower'] }, 'operation'],
    ['Do not open the window.', { device: ['window'], operation: ['open'] }, '? function,operation'],
    ['I opened the window. Close it.', { device: ['window'], operation: ['close'] }, 'pass'],
    [
      'Open the window on the passenger side, not on mine.',
      { device: ['window'], operation: ['open'], target: ['passenger'] },
      '? function,operation,target',
    ],
    ['Make the radio louder.', { device: ['volume'], operation: ['raise'] }, 'pass'],
    ['Set the AC to 21 degrees.', { device: ['temperature'], operation: ['set'], value: 21 }, 'pass'],
    ['Open the left window.', { device: ['window'], operation: ['open'], target: ['driver'] }, '? target'],
    ['Fenster auf!', { device: ['window'], operation: ['close'] }, 'operation'],
    ['Licht an.', { device: ['radio'], operation: ['turn on'] }, '? function'],
    ['Open all windows.', { device: ['window'], operation: ['open'], target: ['driver'] }, 'target'],
    // What a question asks for no words can settle.

    ['Is the trunk open?', { device: ['trunk'], operation: ['open'] }, '? operation'],
    [
      'Mach es ein bisschen wärmer.',
      { device: ['temperature'], operation: ['raise'] },
      '? function,operation,target,value',
    ],
    [
      'Turn on the radio.',
      { device: ['radio'], operation: ['turn on'], alsoChanged: ['volume'] },
      'side-effects',
    ],
  ])('%s %j → %s', async (text, action, expected) => {
    expect(await found('car-function', aRequest('car-function', text, action))).toBe(expected);
  });

  it.each([
    ['The radio is on.', 'done', 'pass'],
    ['The radio is on.', 'failed', 'truth'],
    ['Das Radio läuft jetzt.', 'fehlgeschlagen', 'truth'],
    ['Unfortunately I could not turn it on.', 'failed', 'pass'],
    ['Das konnte ich leider nicht einschalten.', 'done', 'truth'],
    ['Shall I also look for a station?', 'done', '? truth'],
    ['I could not open the window, but the radio is on.', 'done', '? truth'],
    ['The radio is on.', 'who knows', '? truth'],
  ])('answered "%s" where the result is %s → %s', async (response, result, expected) => {
    const evalCase = aRequest('car-function', 'Turn on the radio.', {
      device: ['radio'],
      operation: ['turn on'],
      result,
    });
    expect(await found('car-function', { ...evalCase, response })).toBe(expected);
  });
});

describe('the worked examples', () => {
  const examples = ['fuel-station', 'charging-station', 'car-function'].flatMap((rubric) =>
    library.exemplars(rubric).map((exemplar) => ({ rubric, id: exemplar.id, exemplar })),
  );

  it.each(examples)(
    '$rubric $id say nothing that the exact checks would contradict',
    async ({ rubric, exemplar }) => {
      const findings = await findingsOn(rubric, exemplar.case);
      const settled = findings.filter(({ decision }) => decision !== 'unscored');
      expect(settled.length).toBeGreaterThan(1);
      for (const { id, decision } of settled)
        expect([id, decision]).toEqual([id, exemplar.reply.criteria[id]?.decision]);
    },
  );
});
