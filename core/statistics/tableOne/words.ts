import type { Language } from '#core/language.ts'

import type { ComparisonMethod } from './comparison.ts'
import type { VariableKind } from './variableKind.ts'

/** The words of the table, as papers in both languages have them. */
export interface TableOneWords {
  readonly title: string
  readonly variable: string
  readonly overall: string
  readonly p: string
  readonly smd: string
  readonly missing: string
  /** What stands in the cells of a variable of a kind. */
  readonly told: Readonly<Record<VariableKind, string>>
  readonly methods: Readonly<Record<ComparisonMethod, string>>
  readonly smdNote: string
  readonly doubtNote: string
  readonly leftOut: (count: number) => string
  /** Between the notes below the table, and at their end. */
  readonly between: string
  readonly end: string
}

const zh: TableOneWords = {
  title: '受试者基线特征',
  variable: '变量',
  overall: '合计',
  p: 'P 值',
  smd: 'SMD',
  missing: '缺失',
  told: { normal: '均数 ± 标准差', skewed: '中位数 (Q1, Q3)', categorical: '例数 (%)' },
  methods: {
    'welch-t': 'Welch t 检验',
    'welch-anova': 'Welch 方差分析',
    'rank-sum': 'Wilcoxon 秩和检验',
    'kruskal-wallis': 'Kruskal-Wallis 检验',
    'chi-square': 'χ² 检验',
    fisher: 'Fisher 精确检验',
  },
  smdNote: 'SMD：标准化均数差，多于两组时取各组两两比较的最大值',
  doubtNote: '期望频数偏小，表格过大无法作精确检验，P 值仅供参考',
  leftOut: (count) => `${count} 例无分组，未列入表中`,
  between: '；',
  end: '。',
}

const en: TableOneWords = {
  title: 'Baseline characteristics',
  variable: 'Variable',
  overall: 'Overall',
  p: 'P value',
  smd: 'SMD',
  missing: 'Missing',
  told: { normal: 'mean ± SD', skewed: 'median (Q1, Q3)', categorical: 'n (%)' },
  methods: {
    'welch-t': 'Welch’s t test',
    'welch-anova': 'Welch’s analysis of variance',
    'rank-sum': 'Wilcoxon rank-sum test',
    'kruskal-wallis': 'Kruskal-Wallis test',
    'chi-square': 'χ² test',
    fisher: 'Fisher’s exact test',
  },
  smdNote: 'SMD: standardized mean difference; with more than two groups the greatest of all pairs',
  doubtNote: 'expected counts are small and the table is too large for an exact test: the P value is approximate',
  leftOut: (count) => `${count} without a group ${count === 1 ? 'is' : 'are'} not in the table`,
  between: '; ',
  end: '.',
}

/** The words in a language. */
export function tableOneWords(language: Language): TableOneWords {
  return language === 'zh' ? zh : en
}
