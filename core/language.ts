/** The two languages of the product. zh is the default. */
export type Language = 'zh' | 'en'
