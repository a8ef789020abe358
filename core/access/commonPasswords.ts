/**
 * Words that passwords are made of when people choose the first that comes to mind, gathered by hand: keyboard walks,
 * names of the work, words of love and luck in English and pinyin. With digits and signs before, between and after them
 * they stand for the passwords that are guessed first.
 */
const WORDS = `
password passwd passwort pass pwd secret letmein welcome login logon signin access account user username users guest test tester testing demo sample temp temporary
default changeme change admin admins administrator root super superuser supervisor system sysadmin manager master owner operator service server oracle postgres mysql
qwerty qwertyuiop qwertyui qwer qwert asdf asdfgh asdfghjkl asdfg zxcv zxcvbn zxcvbnm qaz qazwsx qazwsxedc wsx edc rfv tgb zaq zaqxsw xsw qwe asd zxc rty fgh vbn poiuytrewq lkjhgfdsa
mnbvcxz abc abcd abcde abcdef abcdefg abcdefgh abcdefghij aaa bbb xyz qweasd qweasdzxc qwaszx iloveyou ilove loveyou lovely love lover forever sunshine princess dragon monkey
football baseball basketball soccer hockey superman batman spiderman pokemon michael jordan jennifer michelle charlie daniel thomas andrew george robert william matthew
anthony joshua ashley jessica amanda nicole summer winter spring autumn monday friday sunday january december hello helloworld world freedom whatever trustno shadow ninja
mustang harley ranger hunter killer pepper ginger cookie cheese banana orange apple cherry flower butterfly angel angels diamond silver golden gold money dollar computer internet
samsung iphone android google facebook twitter linkedin yahoo microsoft windows linux china chinese beijing shanghai guangzhou shenzhen tianjin chongqing hangzhou nanjing wuhan chengdu
zhongguo woaini woaiwo woaini aini aiwo wodemima mima mimashi nihao nihaoma baobao baobei laopo laogong qinai mama baba jiayou facai gongxi kuaile shengri xingfu pingan jiankang
wangwei wangfang zhangwei zhangli liwei lina lili wang zhang liu chen yang huang zhao zhou xiaoming xiaohong xiaoli dada haha hehe hahaha
hospital yiyuan yisheng hushi doctor nurse patient medical medicine clinic clinical trial study data research zhenglu zhongyi linchuang shiyan keyan yaowu ward crc cra edc ecrf
qq taobao weixin wechat alipay baidu alibaba company office work school student teacher
`

const words: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word !== ''))

/** Figures and signs as they stand for letters. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Digits beyond this many were not chosen by what comes to mind first. */
const MAX_DIGITS = 8

/**
 * Whether a password is one of those that are tried first: digits in a row or all alike, a few signs again and again,
 * or common words with no more than a few digits and signs around them.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase()
  if (/^\d+$/.test(text)) return text.length < 14 || isPlain(text)
  if (isPlain(text)) return true
  const digits = text.replaceAll(/\D/g, '')
  if (digits.length > MAX_DIGITS && !isPlain(digits)) return false
  return (
    isOfWords(text.replaceAll(/[^a-z]+/g, ' ')) ||
    isOfWords(
      text
        .replace(/[\d\W_]+$/, '')
        .replaceAll(/[013457@$!]/g, (sign) => LOOKS_LIKE[sign] ?? sign)
        .replaceAll(/[^a-z]+/g, ' '),
    )
  )
}

/** Whether letters are common words, one after the other, with or without anything between them. */
function isOfWords(letters: string): boolean {
  const parts = letters.split(' ').filter((part) => part !== '')
  return parts.length > 0 && parts.every((part) => part.length === 1 || isJoined(part))
}

function isJoined(text: string): boolean {
  if (words.has(text) || isPlain(text)) return true
  for (let at = 2; at < text.length - 1; at += 1)
    if (words.has(text.slice(0, at)) && isJoined(text.slice(at))) return true
  return false
}

/**
 * Whether a text is one sign, few signs again and again, or a row as it stands in the alphabet, forwards or backwards.
 */
function isPlain(text: string): boolean {
  if (text.length < 3) return false
  for (let length = 1; length <= Math.min(8, Math.max(Math.floor(text.length / 2), text.length - 5)); length += 1) {
    if (
      text ===
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .slice(0, text.length)
    )
      return true
  }
  const steps = Array.from(
    { length: text.length - 1 },
    (_, at) => (text.charCodeAt(at + 1) - text.charCodeAt(at) + 10) % 10,
  )
  return new Set(steps).size === 1 && /^(\d+|[a-z]+)$/.test(text)
}
