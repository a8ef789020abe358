/** The sixty subjects of the demo. None of them is a real person. */

/** Why a subject was not enrolled. */
type Failure = 'pressure' | 'liver' | 'age'

/** How a subject left the study early; null for a subject who goes on, or who completed it. */
type Ending =
  | { readonly failed: Failure }
  /** The code of the last visit that took place, and the code of the reason on the end-of-study page. */
  | { readonly left: 'BL' | 'V1' | 'V2'; readonly reason: '1' | '2' | '3' | '4' | '6' }

export interface Subject {
  readonly center: 0 | 1 | 2
  /** The number that the subject gets: center code and place in the order of enrolment. */
  readonly no: string
  readonly name: string
  readonly initials: string
  readonly sex: 'F' | 'M'
  /** Days between consent and the day on which the demo was made. */
  readonly daysAgo: number
  readonly ending: Ending | null
  /** Whether the visit that is due by now was not entered. */
  readonly late: boolean
  /** Whether the end took place after its window. */
  readonly endsLate: boolean
  /** True for subjects who take the drug; nobody in the study knows it. */
  readonly verum: boolean
}

const LATE = 'late'
/** Name, initials, sex, days since consent, and special facts. In the order of enrolment. */
type Line = readonly [name: string, initials: string, sex: 'F' | 'M', daysAgo: number, special?: Ending | typeof LATE]

const FIRST: readonly Line[] = [
  ['张晓梅', 'ZXM', 'F', 158],
  ['李建国', 'LJG', 'M', 151],
  ['王淑芬', 'WSF', 'F', 146],
  ['刘德顺', 'LDS', 'M', 139, { left: 'V1', reason: '2' }],
  ['陈桂兰', 'CGL', 'F', 133],
  ['杨振东', 'YZD', 'M', 127],
  ['赵秀琴', 'ZXQ', 'F', 120, { failed: 'pressure' }],
  ['黄文斌', 'HWB', 'M', 114],
  ['周玉珍', 'ZYZ', 'F', 108],
  ['吴长河', 'WCH', 'M', 101],
  ['徐丽娟', 'XLJ', 'F', 95, { left: 'V2', reason: '1' }],
  ['孙广田', 'SGT', 'M', 88],
  ['马春霞', 'MCX', 'F', 80],
  ['朱国良', 'ZGL', 'M', 74],
  ['胡美云', 'HMY', 'F', 70],
  ['郭志强', 'GZQ', 'M', 62],
  ['何凤英', 'HFY', 'F', 52],
  ['高立新', 'GLX', 'M', 44, LATE],
  ['林爱华', 'LAH', 'F', 34],
  ['罗永福', 'LYF', 'M', 27],
  ['郑雅琴', 'ZYQ', 'F', 20],
  ['梁宏伟', 'LHW', 'M', 11],
  ['谢冬梅', 'XDM', 'F', 3],
  ['宋启明', 'SQM', 'M', 1],
]

const SECOND: readonly Line[] = [
  ['陈永华', 'CYH', 'M', 149],
  ['孙丽萍', 'SLP', 'F', 142],
  ['唐志远', 'TZY', 'M', 134],
  ['韩素珍', 'HSZ', 'F', 126],
  ['冯建业', 'FJY', 'M', 117, { failed: 'liver' }],
  ['于海燕', 'YHY', 'F', 110],
  ['董学文', 'DXW', 'M', 103, { left: 'BL', reason: '1' }],
  ['萧月娥', 'XYE', 'F', 94],
  ['程大勇', 'CDY', 'M', 86],
  ['曹慧敏', 'CHM', 'F', 78],
  ['袁守义', 'YSY', 'M', 73],
  ['邓巧玲', 'DQL', 'F', 63],
  ['许承志', 'XCZ', 'M', 55, LATE],
  ['傅瑞芳', 'FRF', 'F', 46],
  ['沈庆丰', 'SQF', 'M', 35],
  ['曾宝珠', 'ZBZ', 'F', 25],
  ['彭立民', 'PLM', 'M', 19],
  ['吕兰香', 'LLX', 'F', 7],
  ['苏伯年', 'SBN', 'M', 4],
  ['卢静宜', 'LJY', 'F', 0],
]

const THIRD: readonly Line[] = [
  ['蒋福海', 'JFH', 'M', 140],
  ['蔡玉莲', 'CYL', 'F', 131],
  ['贾天成', 'JTC', 'M', 122, { left: 'V1', reason: '3' }],
  ['丁雪琴', 'DXQ', 'F', 111],
  ['魏东升', 'WDS', 'M', 99],
  ['薛翠英', 'XCY', 'F', 91, { left: 'V2', reason: '4' }],
  ['叶汉生', 'YHS', 'M', 82, { failed: 'age' }],
  ['阎惠芳', 'YHF', 'F', 76],
  ['余金水', 'YJS', 'M', 72],
  ['潘秋菊', 'PQJ', 'F', 61],
  ['杜明山', 'DMS', 'M', 49],
  ['戴玉洁', 'DYJ', 'F', 40, LATE],
  ['夏光辉', 'XGH', 'M', 33],
  ['钟丽华', 'ZLH', 'F', 21],
  ['汪正平', 'WZP', 'M', 9],
  ['田小红', 'TXH', 'F', 2],
]

/** Subjects who came to the end a week later than planned. */
const ENDS_LATE: ReadonlySet<string> = new Set(['01-005', '02-002', '03-004'])

function subjects(center: 0 | 1 | 2, lines: readonly Line[]): readonly Subject[] {
  return lines.map(([name, initials, sex, daysAgo, special], index) => {
    const no = `0${center + 1}-${String(index + 1).padStart(3, '0')}`
    const ending = special === undefined || special === LATE ? null : special
    // Blocks of four, as a randomisation list has them.
    return {
      center,
      no,
      name,
      initials,
      sex,
      daysAgo,
      ending,
      late: special === LATE,
      endsLate: ENDS_LATE.has(no),
      verum: [0, 3].includes(index % 4),
    }
  })
}

/** All subjects: those of each center in the order of enrolment. */
export const roster: readonly Subject[] = [...subjects(0, FIRST), ...subjects(1, SECOND), ...subjects(2, THIRD)]
