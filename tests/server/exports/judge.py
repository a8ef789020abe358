"""What pandas and openpyxl read of files of data, as JSON."""

import datetime
import json
import pathlib
import sys
import warnings

import openpyxl
import pandas

warnings.simplefilter("ignore")


def plain(value):
    if isinstance(value, pandas.io.stata.StataMissingValue):
        return "<%s>" % value.string
    if isinstance(value, str):
        return value
    if value is None or value != value:
        return None
    return float(value)


def stata(path):
    # It reads long texts only before it has read labels, and closes a file without rows once it has read it: so twice.
    labels = pandas.io.stata.StataReader(str(path)).value_labels()
    reader = pandas.io.stata.StataReader(str(path))
    data = reader.read(convert_categoricals=False, convert_missing=True, convert_dates=False)
    return {
        "label": reader.data_label,
        "labels": reader.variable_labels(),
        "codes": {name: [[str(key), text] for key, text in values.items()] for name, values in labels.items()},
        "columns": list(data.columns),
        "rows": [[plain(cell) for cell in row] for row in data.itertuples(index=False)],
    }


def transport(path):
    with pandas.read_sas(str(path), format="xport", encoding="utf-8", iterator=True) as reader:
        # It reads no table without rows, but says what it found.
        names = [name.decode("utf-8") if isinstance(name, bytes) else name for name in reader.columns]
        rows = [] if reader.nobs == 0 else reader.read().itertuples(index=False)
        return {"columns": names, "rows": [[plain(cell) for cell in row] for row in rows]}


def shown(cell):
    value = cell.value
    if isinstance(value, (datetime.datetime, datetime.time)):
        return [cell.number_format, value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat()]
    return value


def workbook(path):
    return {sheet.title: [[shown(cell) for cell in row] for row in sheet.iter_rows()] for sheet in openpyxl.load_workbook(path)}


folder = pathlib.Path(sys.argv[1])
result = {}
for path in sorted(folder.rglob("*")):
    name = str(path.relative_to(folder))
    if path.suffix == ".dta":
        result[name] = stata(path)
    elif name.startswith("xpt5/") and path.suffix == ".xpt":
        result[name] = transport(path)
    elif path.suffix == ".xlsx":
        result[name] = workbook(path)
json.dump(result, sys.stdout, ensure_ascii=False)
