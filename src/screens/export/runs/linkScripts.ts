/** A few lines of a statistics program that fetch, unpack and read an export by its address. */
interface LinkScript {
  /** The program's own name. */
  readonly name: string
  readonly text: string
}

/** @param address whole, of letters, digits and the signs of an address: it needs no quoting in either program */
export function scriptsFor(address: string): readonly LinkScript[] {
  return [
    {
      name: 'R',
      text: `address <- "${address}"
archive <- tempfile(fileext = ".zip")
download.file(address, archive, mode = "wb")
folder <- tempfile()
unzip(archive, exdir = folder)
tables <- lapply(list.files(file.path(folder, "csv"), full.names = TRUE), read.csv, fileEncoding = "UTF-8-BOM")`,
    },
    {
      name: 'Python',
      text: `import io, urllib.request, zipfile
import pandas as pd
address = "${address}"
archive = zipfile.ZipFile(io.BytesIO(urllib.request.urlopen(address).read()))
tables = {name: pd.read_csv(archive.open(name)) for name in archive.namelist() if name.endswith(".csv")}`,
    },
  ]
}
