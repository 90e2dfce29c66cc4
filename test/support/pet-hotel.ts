/** A domain of its own, in YAML alone: pet hotels. */
export const petHotel: Record<string, string> = {
  'fields/pets.yaml': `
title: Pet hotels
source: a test
fields:
  - {name: species, of: stay, title: species taken in, type: list, labels: [animals, tiere]}
  - {name: nights, of: stay, title: nights, type: number, labels: [nächte], units: {nights: 1, weeks: 7}, min: 1}
  - {name: mostNights, of: stay, title: most nights, type: number}
`,
  'lexicons/animals.yaml': `
title: Animals
source: a test
namesSubject: true
terms:
  - {id: dog, title: dogs, words: [dog, dogs, hund, hunde]}
  - {id: cat, title: cats, words: [cat, cats, katze, katzen]}
  - {id: parrot, title: parrots, words: [parrot, papagei]}
`,
  'lexicons/pet-hotel.yaml': `
title: Words of requests for a pet hotel
source: a test
terms:
  - {id: subject, title: a pet hotel, words: [pet hotel, tierhotel, unterbringen]}
  - {id: plain, words: [stay, nights, nächte]}
`,
  'rubrics/pet-hotel.yaml': `
title: Pet hotel
source: a test
task: Decide whether the pet hotel takes the animal for that long.
needs: [stay]
selectedBy: [stay]
rank: 5
decide: all
panel: [auditor]
method: mab
criteria:
  - id: animal
    title: Animal
    rule: The hotel takes the animal in.
    check: {type: has-all, lexicon: animals, field: stay.species, name: animal}
  - id: length
    title: Length
    rule: The stay is not longer than the hotel allows.
    needs: [stay.nights, stay.mostNights]
    check:
      {type: at-most-field, field: stay.nights, limit: stay.mostNights, names: {field: the stay, limit: the limit}, unit: nights}
`,
};

export const petHotelPaste = (animals: string, nights: string) =>
  `User: Find a pet hotel that takes dogs\nSystem: Villa Kunterbunt has room.\n\nTiere: ${animals}\nNächte: ${nights}\nMost nights: 10`;
