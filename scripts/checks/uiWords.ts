import type { Resources } from '#scripts/checks/translations.ts'
import type { Finding } from '#scripts/checks/sources.ts'

/**
 * Words that people read. One thing has one word on screen (docs/glossary.md, section 9); words that were given up, and
 * the word in their place, are listed here by language. Comments and code may use them: only texts are looked at.
 */

type Language = 'zh' | 'en'

interface GivenUp {
  readonly word: RegExp
  readonly instead: string
}

const GIVEN_UP: Readonly<Record<Language, readonly GivenUp[]>> = {
  zh: [
    { word: /问卷/, instead: '病例报告表, of a design 表单设计' },
    { word: /第[一二]遍|两遍|另一遍|录入遍次/, instead: '一录, 二录' },
    { word: /双录核对/, instead: '双录比对' },
    { word: /等价|等同/, instead: '视为一致' },
    { word: /誊写/, instead: '转录错误' },
    { word: /失访/, instead: '未到访; who is lost for good is an outcome of the study, a choice of its form' },
    { word: /^无法填写$/, instead: '标记缺失' },
    { word: /缺必填/, instead: '必填未填' },
    { word: /需处理/, instead: '待处理' },
    { word: /去看看/, instead: '查看' },
    { word: /现有值|另一值/, instead: '当前值, or whose value it is: X录入' },
    { word: /本例/, instead: '该受试者' },
    { word: /移除受试者|删除受试者/, instead: '作废受试者记录' },
    { word: /没有.{0,4}成功/, instead: '加载失败, 保存失败, 下载失败' },
    { word: /载入/, instead: '加载' },
    { word: /此平板|这台平板|平板时间|平板时钟/, instead: '本设备, 设备时间' },
    { word: /(?<!妥善)保管/, instead: '暂存' },
    { word: /救援/, instead: '离线备份文件' },
    { word: /搁置/, instead: '暂不发送' },
    { word: /放行/, instead: '同意入库' },
    { word: /试填对象/, instead: '测试受试者' },
    { word: /号段/, instead: '预留编号' },
    { word: /需求说明/, instead: '版本说明' },
    { word: /回复质疑/, instead: '答复质疑' },
    { word: /新的?源(?:记录|信息)/, instead: '获得新的源数据' },
    { word: /修改记录|审计|日志轨迹/, instead: '稽查轨迹' },
    { word: /(?<!临床研究)协调员/, instead: '临床研究协调员（CRC）' },
    { word: /断网不断/, instead: '断网照常录入' },
    { word: /用户名/, instead: '账号' },
    { word: /参数校验/, instead: '提交内容有误，请核对后重试' },
    { word: /拿起/, instead: '选取' },
  ],
  en: [
    { word: /\bpatients?\b/i, instead: 'subject' },
    { word: /\bcentres?\b/i, instead: 'center' },
    { word: /\bquestionnaires?\b/i, instead: 'case report form' },
    { word: /\bcasebooks?\b/i, instead: 'case report form' },
    { word: /\btablets? time|this tablet\b/i, instead: 'device time, this device' },
    { word: /\bbooked\b/i, instead: 'applied, attributed to its author' },
    { word: /\b(?:taken|brought|bring|take) back\b/i, instead: 'cancelled, restored' },
    { word: /\bCannot answer\b/i, instead: 'Mark as missing' },
    { word: /\bSpeaks up\b|\bSays nothing\b/i, instead: 'Fires, Does not fire' },
    { word: /\bbecame of\b|\bbecome of\b/i, instead: 'Outcome' },
    { word: /\bFacts of\b|’s facts\b/i, instead: 'Subject details' },
    { word: /\brescue file\b/i, instead: 'offline backup file' },
    { word: /\bset aside\b/i, instead: 'do not send' },
    { word: /\b[Ss]tanding value\b|\bvalue stands\b/, instead: 'current value' },
    { word: /\bLog$|: log$/, instead: 'Audit trail' },
    { word: /\b(?:Most|Largest|Least|Longest) (?:files?|rows|text)\b/, instead: 'Maximum, Minimum, Max. length' },
    { word: /\bno right to\b/i, instead: 'View only: you do not have permission to …' },
    { word: /\bentered twice\b/i, instead: 'Double entry is on, off' },
    { word: /\bby hand\b/i, instead: 'manually' },
    { word: /\bLog (?:out|in)\b/i, instead: 'Sign out, Sign in' },
    { word: /\bgrounds\b/i, instead: 'reason' },
  ],
}

/** Texts that keep such a word, by `file:key`, each with its reason. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['zh/admin.ts:crf.import.reason.survey-only', 'a survey of REDCap, which patients answer, is a 问卷'],
])

/** Texts of the interface that use a word which was given up. */
export function checkUiWords(resources: Readonly<Record<Language, Resources>>): Finding[] {
  return (['zh', 'en'] as const).flatMap((language) =>
    textsOf(resources[language]).flatMap(({ file, key, text }) =>
      EXCEPTIONS.has(`${language}/${file}:${key}`)
        ? []
        : GIVEN_UP[language].flatMap(({ word, instead }) => {
            const found = word.exec(text.replaceAll(/\{\{.*?\}\}/g, '{{}}'))
            return found === null
              ? []
              : [
                  {
                    path: `src/i18n/${language}/${file}`,
                    line: 1,
                    message: `${key} says "${found[0]}": ${instead}`,
                  },
                ]
          }),
    ),
  )
}

interface Text {
  readonly file: string
  readonly key: string
  readonly text: string
}

function textsOf(resources: Resources): readonly Text[] {
  return Object.entries(resources).flatMap(([file, exports]) =>
    Object.values(typeof exports === 'object' && exports !== null ? exports : {}).flatMap((texts) =>
      leavesOf(texts, file, []),
    ),
  )
}

function leavesOf(value: unknown, file: string, trail: readonly string[]): readonly Text[] {
  if (typeof value === 'string') return [{ file, key: trail.join('.'), text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, file, [...trail, name]))
}
