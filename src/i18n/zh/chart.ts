/** The frame of every chart. */
export const chart = {
  legend: '图例',
  figures: '查看数据表',
  svg: '下载 SVG',
  png: '下载 PNG',
} as const
