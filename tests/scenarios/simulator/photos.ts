/** The field of photographs, in studies that take them. */
export const PHOTOS = 'photos'
