/** Variables that fields of a page are recognised as: by CDASH's code first, by the label else. */

interface KnownVariable {
  readonly name: string
  readonly codes: RegExp
  readonly labels: RegExp
}

function describeVariable(name: string, codes: RegExp, labels: RegExp): KnownVariable {
  return { name, codes: new RegExp(`^(${codes.source})$`, 'i'), labels: new RegExp(labels.source, 'i') }
}

const NEVER = /(?!)/

/** 偏离, 违背 and 违反, one or two of them side by side. */
const DEVIATES = '(偏离|违背|违反)([/／、或及和与]*(偏离|违背|违反))?'
/** A bare 偏离 may be that of a value from its reference: it takes the protocol, or a noun, to be one of a study. */
const DEVIATION_TERM = [
  `^(试验|研究)?方案(的)?${DEVIATES}$`,
  `^${DEVIATES}(试验|研究)?方案$`,
  `^((试验|研究)?方案)?(的)?${DEVIATES}(试验|研究)?(方案)?(的)?(具体|详细)?(描述|内容|名称|事件|情况|经过|详情)(描述|说明|名称)?$`,
  '^protocol (deviation|violation)s?( (term|name|description|details?))?$',
  '^(deviation|violation) (term|name|description|details?)$',
  '^(description|details?) of (the )?(protocol )?(deviation|violation)|^describe (the )?(protocol )?(deviation|violation)',
].join('|')

const knownVariables: Readonly<Record<string, readonly KnownVariable[]>> = {
  DM: [
    describeVariable('BRTHDTC', /brthdat|birth_?date|dob/, /^出生日期$|^date of birth$/),
    describeVariable('RFICDTC', /rficdat|icfdat|icdat/, /知情同意.*日期|informed consent/),
    describeVariable('AGE', /age/, /^年龄|^age$/),
    describeVariable('SEX', /sex|gender/, /^性别$|^sex$|^gender$/),
    describeVariable('RACE', /race/, /^种族$|^race$/),
    describeVariable('ETHNIC', /ethnic/, /^ethnicity$/),
    describeVariable('ARMCD', /armcd/, NEVER),
    describeVariable('ARM', /arm/, /^(治疗)?组别$|^arm$/),
  ],
  AE: [
    describeVariable('AETERM', /aeterm|(ae_)?term|ae_name/, /^不良事件(名称)?$|^adverse event( term)?$/),
    describeVariable('AESTDTC', /aestdat/, /(开始|发生)(日期|时间)|^start date/),
    describeVariable('AEENDTC', /aeendat/, /(结束|终止)(日期|时间)|^end date/),
    describeVariable('AESEV', /aesev/, /严重程度|^severity/),
    describeVariable('AESER', /aeser/, /是否.*严重不良事件|^serious/),
    describeVariable('AEREL', /aerel/, /关系|^relation|causality/),
    describeVariable('AEACN', /aeacn/, /对(研究|试验)药物.*(处理|措施)|^action taken/),
    describeVariable('AEOUT', /aeout/, /^转归|^outcome/),
    describeVariable('AECONTRT', /aecontrt/, NEVER),
    describeVariable('AETOXGR', /aetoxgr/, /CTCAE/),
    describeVariable('AEDECOD', /aedecod/, NEVER),
  ],
  CM: [
    describeVariable('CMTRT', /cmtrt|drug|medication/, /^药(物|品)?.*名|^(drug|medication|generic name)/),
    describeVariable('CMCAT', /cmcat/, NEVER),
    describeVariable('CMINDC', /cmindc/, /(用药|使用)原因|适应症|^indication/),
    describeVariable('CMDOSE', /cmdose|dose/, /剂量$|^dose$/),
    describeVariable('CMDOSU', /cmdosu/, /剂量单位|^dose unit/),
    describeVariable('CMDOSFRQ', /cmdosfrq/, /频(次|率)|^frequency/),
    describeVariable('CMROUTE', /cmroute/, /(给药)?途径|^route/),
    describeVariable('CMSTDTC', /cmstdat/, /开始(日期|时间)|^start date/),
    describeVariable('CMENDTC', /cmendat/, /(结束|停药)(日期|时间)|^end date/),
  ],
  DV: [
    describeVariable(
      'DVTERM',
      /dvterm|protocol_?deviation|(dv|deviation)_?(term|desc|description|name)/,
      new RegExp(DEVIATION_TERM),
    ),
    // How severe it is: SDTM has no variable of its own for it in this table.
    describeVariable(
      'DVSCAT',
      /dvscat|dvsev|(dv|deviation)_?(sev|severity|grade|level|class)/,
      /(严重|重要)(程度|性)|(偏离|违背|违反).*(程度|级别|等级|分级)|是否.*重大|^((protocol )?(deviation|violation) )?(severity|grade|classification|importance)/,
    ),
    describeVariable(
      'DVCAT',
      /dvcat|(dv|deviation)_?(cat|category|type)/,
      /(偏离|违背|违反).*(类别|类型|分类|种类)|^((protocol )?(deviation|violation) )?(category|type)$/,
    ),
    describeVariable(
      'DVSTDTC',
      /dvstdat|(dv|deviation)_?(start|date)/,
      /(开始|发生)(日期|时间)|(偏离|违背|违反)(日期|时间)$|^(start|onset|deviation) date|^date of (the )?(protocol )?(deviation|violation)/,
    ),
    describeVariable('DVENDTC', /dvendat|(dv|deviation)_?end/, /(结束|终止)(日期|时间)|^end date/),
    describeVariable('DVDECOD', /dvdecod/, NEVER),
  ],
}

/** Which variable of a table a field is; null where it is recognised as none. */
export function recogniseVariable(
  domain: string,
  { code, label, labelEn }: { readonly code: string; readonly label: string; readonly labelEn: string | null },
): string | null {
  const variables = knownVariables[domain] ?? []
  const found =
    variables.find(({ codes }) => codes.test(code)) ??
    variables.find(({ labels }) => labels.test(label) || (labelEn !== null && labels.test(labelEn)))
  return found?.name ?? null
}

/** The criteria of a serious event, as choices of one question. */
export const SERIOUS: Readonly<Record<string, RegExp>> = {
  AESDTH: /^AESDTH$|^死亡$|death/i,
  AESLIFE: /^AESLIFE$|危及生命|life.threatening/i,
  AESHOSP: /^AESHOSP$|住院|hospitali/i,
  AESDISAB: /^AESDISAB$|残疾|disabilit/i,
  AESCONG: /^AESCONG$|先天|出生缺陷|congenital/i,
  AESMIE: /^AESMIE$|其他重要医学|medically important/i,
}

const UNRELATED = /无关|不相关|不可能|可疑|^(un|not\b|none\b|doubtful|remote)/i
const RELATED = /有关|相关|^(肯定|很可能|可能)$|^y$|definite|certain|probabl|possibl|likely|related/i

/** Whether a submission value of AEREL says that the event is at least possibly related. */
export function isRelated(term: string): boolean {
  return !UNRELATED.test(term) && RELATED.test(term)
}

/** A choice of severity alone, or with what it is the severity of, or with its explanation. */
const OF_DEVIATION = /\s*((的)?(方案)?(偏离|违背|违反)|(protocol )?(deviation|violation))?(\s*[（(].*)?$/.source
const MINOR = new RegExp(
  `^(非重大|非严重|非重要|不严重|不重要|一般|轻微|轻度|次要|minor|non-?(major|important|significant)|not (major|important|significant))${OF_DEVIATION}`,
  'i',
)
const MAJOR = new RegExp(`^(重大|严重|重要|major|important|critical|significant)${OF_DEVIATION}`, 'i')
const SEVERITY_OF_DEVIATION: readonly (readonly [RegExp, string])[] = [
  [MINOR, 'MINOR'],
  [MAJOR, 'MAJOR'],
]

/** Submission values by what a choice is called. */
const TERMS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  SEX: [
    [/^(M|男(性)?|male)$/i, 'M'],
    [/^(F|女(性)?|female)$/i, 'F'],
  ],
  AESEV: [
    [/^(轻度?|mild)(\s*[（(].*)?$/i, 'MILD'],
    [/^(中度?|moderate)(\s*[（(].*)?$/i, 'MODERATE'],
    [/^(重度?|severe)(\s*[（(].*)?$/i, 'SEVERE'],
  ],
  AESER: [
    [/^(非严重|不严重|non-?serious|not serious)$/i, 'N'],
    [/^(严重|serious)$/i, 'Y'],
  ],
  AETOXGR: [
    [/^(grade\s*1\b|[1Ⅰ一]\s*级)/i, '1'],
    [/^(grade\s*2\b|[2Ⅱ二]\s*级)/i, '2'],
    [/^(grade\s*3\b|[3Ⅲ三]\s*级)/i, '3'],
    [/^(grade\s*4\b|[4Ⅳ四]\s*级)/i, '4'],
    [/^(grade\s*5\b|[5Ⅴ五]\s*级)/i, '5'],
  ],
  AEOUT: [
    [/后遗症|sequelae/i, 'RECOVERED/RESOLVED WITH SEQUELAE'],
    [/未(痊)?愈|未缓解|未好转|^not re(covered|solved)/i, 'NOT RECOVERED/NOT RESOLVED'],
    [/好转|缓解中|recovering/i, 'RECOVERING/RESOLVING'],
    [/痊愈|恢复|^recovered|^resolved/i, 'RECOVERED/RESOLVED'],
    [/死亡|fatal|death/i, 'FATAL'],
    [/未知|不详|unknown/i, 'UNKNOWN'],
  ],
  DVCAT: SEVERITY_OF_DEVIATION,
  // Asked as a question, whether it is a major one.
  DVSCAT: [...SEVERITY_OF_DEVIATION, [/^(是|yes|y)$/i, 'MAJOR'], [/^(否|no|n)$/i, 'MINOR']],
}
const YES_NO: readonly (readonly [RegExp, string])[] = [
  [/^(是|yes|y)$/i, 'Y'],
  [/^(否|no|n)$/i, 'N'],
]

/** The submission value of a choice, as far as it can be guessed. */
export function submissionTerm(
  variable: string,
  { code, label, labelEn }: { readonly code: string; readonly label: string; readonly labelEn: string | null },
): string {
  const words = [code, label, ...(labelEn === null ? [] : [labelEn])]
  const known = [...(TERMS[variable] ?? []), ...YES_NO].find(([pattern]) => words.some((word) => pattern.test(word)))
  if (known !== undefined) return known[1]
  // A code that is a word is one of CDISC's as a rule; a number means nothing outside of its list.
  if (/[A-Z]{2}/.test(code)) return code
  return (labelEn ?? label).toUpperCase().slice(0, 200)
}
