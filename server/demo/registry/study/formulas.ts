import type { HerbKey } from '#server/demo/registry/study/herbs.ts'

/**
 * The syndromes of the registry, each with its treatment principle, its base formula, and the tongue and pulse that go
 * with it. Doses are those of one daily packet, within the limits of the pharmacopoeia.
 */

/** How a herb is decocted, by its code in the prescription. */
export type Decoction = '1' | '2' | '3' | '4' | '5' | '6' | '7'
const [TOGETHER, FIRST, LATE, WRAPPED, MELTED]: readonly [Decoction, Decoction, Decoction, Decoction, Decoction] = [
  '1',
  '2',
  '3',
  '4',
  '6',
]

export type PrescribedHerb = readonly [herb: HerbKey, grams: number, decoction?: Decoction]

/** Codes of the page of the four examinations (`server/demo/study/tcm.ts`). */
export interface Signs {
  readonly colour: string
  readonly body: readonly string[]
  readonly coatingColour: string
  readonly coating: readonly string[]
  readonly pulse: readonly string[]
}

export interface Syndrome {
  /** Code of the syndrome, and of its base formula. */
  readonly code: '1' | '2' | '3' | '4' | '5' | '6'
  readonly zh: string
  readonly en: string
  readonly principle: readonly [zh: string, en: string]
  readonly formula: readonly [zh: string, en: string]
  readonly herbs: readonly PrescribedHerb[]
  readonly signs: Signs
}

export const SYNDROMES: readonly Syndrome[] = [
  {
    code: '1',
    zh: '肝火扰心证',
    en: 'Liver fire harassing the heart',
    principle: ['疏肝泻火，镇心安神', 'Soothe the liver, drain fire, calm the spirit'],
    formula: ['龙胆泻肝汤加减', 'Longdan Xiegan Decoction, modified'],
    herbs: [
      ['longdan', 6],
      ['huangqin', 9],
      ['zhizi', 9],
      ['zexie', 9],
      ['cheqianzi', 10, WRAPPED],
      ['shengdihuang', 15],
      ['danggui', 9],
      ['chaihu', 9],
      ['longgu', 30, FIRST],
      ['muli', 30, FIRST],
      ['gancao', 6],
    ],
    signs: { colour: '3', body: ['1'], coatingColour: '2', coating: ['5'], pulse: ['4', '7'] },
  },
  {
    code: '2',
    zh: '痰热扰心证',
    en: 'Phlegm-heat harassing the heart',
    principle: ['清化痰热，和中安神', 'Clear and transform phlegm-heat, harmonise the middle, calm the spirit'],
    formula: ['黄连温胆汤加减', 'Huanglian Wendan Decoction, modified'],
    herbs: [
      ['huanglian', 5],
      ['fabanxia', 9],
      ['chenpi', 9],
      ['zhuru', 10],
      ['zhishi', 9],
      ['fuling', 15],
      ['zhenzhumu', 25, FIRST],
      ['yuanzhi', 6],
      ['zhigancao', 6],
    ],
    signs: { colour: '3', body: ['2'], coatingColour: '2', coating: ['3'], pulse: ['4', '8'] },
  },
  {
    code: '3',
    zh: '心脾两虚证',
    en: 'Dual deficiency of heart and spleen',
    principle: ['补益心脾，养血安神', 'Supplement heart and spleen, nourish blood, calm the spirit'],
    formula: ['归脾汤加减', 'Guipi Decoction, modified'],
    herbs: [
      ['dangshen', 15],
      ['huangqi', 20],
      ['baizhu', 12],
      ['fushen', 15],
      ['suanzaoren', 15],
      ['longyanrou', 12],
      ['muxiang', 6, LATE],
      ['danggui', 10],
      ['yuanzhi', 6],
      ['shengjiang', 6],
      ['dazao', 10],
      ['zhigancao', 6],
    ],
    signs: { colour: '2', body: ['4'], coatingColour: '1', coating: ['1'], pulse: ['5', '10'] },
  },
  {
    code: '4',
    zh: '心肾不交证',
    en: 'Non-interaction of heart and kidney',
    principle: ['滋阴降火，交通心肾', 'Enrich yin, lower fire, restore the interaction of heart and kidney'],
    formula: ['六味地黄丸合交泰丸加减', 'Liuwei Dihuang Pill with Jiaotai Pill, modified'],
    herbs: [
      ['shudihuang', 15],
      ['shanzhuyu', 12],
      ['shanyao', 15],
      ['zexie', 9],
      ['mudanpi', 9],
      ['fuling', 12],
      ['huanglian', 5],
      ['rougui', 2, LATE],
      ['ejiao', 6, MELTED],
      ['suanzaoren', 15],
    ],
    signs: { colour: '3', body: ['5'], coatingColour: '1', coating: ['1', '6'], pulse: ['4', '10'] },
  },
  {
    code: '5',
    zh: '心胆气虚证',
    en: 'Qi deficiency of heart and gallbladder',
    principle: ['益气镇惊，安神定志', 'Boost qi, settle fright, calm the spirit'],
    formula: ['安神定志丸合酸枣仁汤加减', 'Anshen Dingzhi Pill with Suanzaoren Decoction, modified'],
    herbs: [
      ['dangshen', 15],
      ['fuling', 12],
      ['fushen', 15],
      ['longchi', 20, FIRST],
      ['shichangpu', 9],
      ['yuanzhi', 6],
      ['suanzaoren', 15],
      ['chuanxiong', 6],
      ['zhimu', 9],
      ['zhigancao', 6],
    ],
    signs: { colour: '2', body: ['1'], coatingColour: '1', coating: ['1'], pulse: ['7', '10'] },
  },
  {
    code: '6',
    zh: '瘀血内阻证',
    en: 'Static blood obstructing internally',
    principle: ['活血化瘀，通窍安神', 'Quicken blood, dispel stasis, calm the spirit'],
    formula: ['血府逐瘀汤加减', 'Xuefu Zhuyu Decoction, modified'],
    herbs: [
      ['taoren', 9],
      ['honghua', 9],
      ['danggui', 9],
      ['shengdihuang', 12],
      ['chuanxiong', 6],
      ['chishao', 9],
      ['niuxi', 9],
      ['jiegeng', 6],
      ['chaihu', 6],
      ['zhiqiao', 6],
      ['yejiaoteng', 15],
      ['gancao', 6],
    ],
    signs: { colour: '6', body: ['6'], coatingColour: '1', coating: ['1'], pulse: ['7', '9'] },
  },
]

/** Herbs that are added at a return visit, each for what is still complained of. */
export const ADDED: readonly { readonly why: string; readonly herb: PrescribedHerb }[] = [
  { why: '入睡仍慢，加首乌藤养心安神。', herb: ['yejiaoteng', 15, TOGETHER] },
  { why: '情志不舒，加合欢皮解郁安神。', herb: ['hehuanpi', 12, TOGETHER] },
  { why: '多梦易醒，加牡蛎重镇安神。', herb: ['muli', 20, FIRST] },
]
