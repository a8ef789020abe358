/** Rules of a few hundred characters that ask for more than any machine has. */

/** Doubles what a loop names 24 times, and then asks something of it. `DOUBLED` stands for the value. */
function doubled(first: string, twice: (value: string) => string, question: string): string {
  let rule = question.replaceAll('DOUBLED', 'v24')
  for (let level = 24; level > 0; level--) rule = `[${twice(`v${level - 1}`)}].all(v${level}, ${rule})`
  return `[${first}].all(v0, ${rule})`
}

const SIXTEEN = '"aaaaaaaaaaaaaaaa"'
const TWICE = (value: string) => `${value}+${value}`

/** Loops within loops, each over 65 numbers: the fourth asks for 18 million answers. */
export function nested(levels: number, answer = 'v0 >= 0'): string {
  const numbers = `[${Array.from({ length: 65 }, (_, at) => at).join(',')}]`
  let rule = answer
  for (let level = levels - 1; level >= 0; level--) rule = `${numbers}.all(v${level}, ${rule})`
  return rule
}

export const HOSTILE_RULES: readonly (readonly [string, string])[] = [
  ['a text doubled 24 times and split', doubled(SIXTEEN, TWICE, 'DOUBLED.split("a").size() > 0')],
  ['a text doubled 24 times and searched', doubled(SIXTEEN, TWICE, 'DOUBLED.contains("b")')],
  ['a text doubled 24 times and compared', doubled(SIXTEEN, TWICE, 'DOUBLED == DOUBLED + "a"')],
  ['a text doubled by joining it', doubled(SIXTEEN, (value) => `[${value},${value}].join("x")`, 'DOUBLED != ""')],
  ['a list doubled by adding it to itself', doubled('["a"]', TWICE, 'DOUBLED.size() > 0')],
  [
    'a list that holds itself twice, written out',
    doubled('["a"]', (value) => `[${value},${value}]`, 'rcLength(DOUBLED) > 0.0'),
  ],
  [
    'a list that holds itself twice, compared',
    doubled('["a"]', (value) => `[${value},${value}]`, '[DOUBLED] == [[v23,v23]]'),
  ],
  [
    'a list that holds itself twice, searched',
    doubled('["a"]', (value) => `[${value},${value}]`, '[v23,v23] in [DOUBLED]'),
  ],
  ['four loops within each other', nested(4)],
  ['five loops within each other', nested(5)],
  ['six loops within each other', nested(6)],
  ['lists made by loops within each other', `[1,2].map(a, ${nested(3).replaceAll('.all(', '.map(')}).size() > 0`],
  ['errors that a loop goes on after', nested(3, '1 / 0 > 0 || 1 / 0 > 1 || true')],
  [
    'a pattern for each turn of a loop',
    nested(2, `!matches("b", "${'(a{1000})'.repeat(40)}" + string(v0 * 100 + v1))`),
  ],
]
