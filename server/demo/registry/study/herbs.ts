/** The herbs of the registry's prescriptions, as the project's dictionary has them: key, Chinese name, Latin name. */

type Herb = readonly [key: string, zh: string, en: string]

const LIST = [
  ['longdan', '龙胆', 'Gentianae Radix et Rhizoma'],
  ['huangqin', '黄芩', 'Scutellariae Radix'],
  ['zhizi', '栀子', 'Gardeniae Fructus'],
  ['zexie', '泽泻', 'Alismatis Rhizoma'],
  ['cheqianzi', '车前子', 'Plantaginis Semen'],
  ['shengdihuang', '地黄', 'Rehmanniae Radix'],
  ['danggui', '当归', 'Angelicae Sinensis Radix'],
  ['chaihu', '柴胡', 'Bupleuri Radix'],
  ['longgu', '龙骨', 'Fossilia Ossis Mastodi'],
  ['muli', '牡蛎', 'Ostreae Concha'],
  ['gancao', '甘草', 'Glycyrrhizae Radix et Rhizoma'],
  ['zhigancao', '炙甘草', 'Glycyrrhizae Radix Praeparata'],
  ['huanglian', '黄连', 'Coptidis Rhizoma'],
  ['fabanxia', '法半夏', 'Pinelliae Rhizoma Praeparatum'],
  ['chenpi', '陈皮', 'Citri Reticulatae Pericarpium'],
  ['zhuru', '竹茹', 'Bambusae Caulis in Taenias'],
  ['zhishi', '枳实', 'Aurantii Fructus Immaturus'],
  ['fuling', '茯苓', 'Poria'],
  ['fushen', '茯神', 'Poria cum Radix Pini'],
  ['zhenzhumu', '珍珠母', 'Margaritifera Concha'],
  ['dangshen', '党参', 'Codonopsis Radix'],
  ['huangqi', '黄芪', 'Astragali Radix'],
  ['baizhu', '白术', 'Atractylodis Macrocephalae Rhizoma'],
  ['suanzaoren', '炒酸枣仁', 'Ziziphi Spinosae Semen Tostum'],
  ['longyanrou', '龙眼肉', 'Longan Arillus'],
  ['muxiang', '木香', 'Aucklandiae Radix'],
  ['yuanzhi', '制远志', 'Polygalae Radix Praeparata'],
  ['shengjiang', '生姜', 'Zingiberis Rhizoma Recens'],
  ['dazao', '大枣', 'Jujubae Fructus'],
  ['shudihuang', '熟地黄', 'Rehmanniae Radix Praeparata'],
  ['shanzhuyu', '酒萸肉', 'Corni Fructus Praeparatus'],
  ['shanyao', '山药', 'Dioscoreae Rhizoma'],
  ['mudanpi', '牡丹皮', 'Moutan Cortex'],
  ['rougui', '肉桂', 'Cinnamomi Cortex'],
  ['ejiao', '阿胶', 'Asini Corii Colla'],
  ['longchi', '龙齿', 'Dens Draconis'],
  ['shichangpu', '石菖蒲', 'Acori Tatarinowii Rhizoma'],
  ['chuanxiong', '川芎', 'Chuanxiong Rhizoma'],
  ['zhimu', '知母', 'Anemarrhenae Rhizoma'],
  ['taoren', '桃仁', 'Persicae Semen'],
  ['honghua', '红花', 'Carthami Flos'],
  ['chishao', '赤芍', 'Paeoniae Radix Rubra'],
  ['niuxi', '牛膝', 'Achyranthis Bidentatae Radix'],
  ['jiegeng', '桔梗', 'Platycodonis Radix'],
  ['zhiqiao', '枳壳', 'Aurantii Fructus'],
  ['yejiaoteng', '首乌藤', 'Polygoni Multiflori Caulis'],
  ['hehuanpi', '合欢皮', 'Albiziae Cortex'],
] as const satisfies readonly Herb[]

export type HerbKey = (typeof LIST)[number][0]

/** The code by which fields name the dictionary. */
export const HERB_DICTIONARY = 'HERB'

export const herbDictionary = {
  code: HERB_DICTIONARY,
  dictValue: '中药饮片',
  labelEn: 'Herbs',
  children: LIST.map(([dictKey, dictValue, labelEn]) => ({ dictKey, dictValue, labelEn })),
}
