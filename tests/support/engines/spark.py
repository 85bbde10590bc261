"""Spark in this process, on two threads."""

import importlib.util
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from support.engines import Engine, NoEngineError, Rows
from support.engines.tables import columns, plain

#: What makes Spark fast on large tables costs time on small ones.
SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    # the second compiler of Java takes a third of the time, which pays after hours
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss16m",
    "spark.driver.memory": "2g",
    "spark.log.level": "OFF",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.analyzer.maxIterations": "1000",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.constraintPropagation.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@contextmanager
def opened() -> Iterator[Engine]:
    """Spark in this process."""
    if importlib.util.find_spec("pyspark") is None or shutil.which("java") is None:
        raise NoEngineError("no pyspark, or no Java to run it")
    import pyarrow
    from pyspark.sql import SparkSession

    types = {int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_(), str: pyarrow.string()}
    builder = SparkSession.builder.master("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    with tempfile.TemporaryDirectory() as folder:
        spark = builder.config("spark.sql.warehouse.dir", folder).getOrCreate()

        def query(sql: str, tables: dict[str, Rows]) -> Rows:
            try:
                for name, rows in tables.items():
                    schema = pyarrow.schema([(column, types[kind]) for column, kind in columns(rows).items()])
                    frame = spark.createDataFrame(pyarrow.Table.from_pylist(rows, schema))
                    frame.createTempView(f"`{name}`")
                return [
                    {column: plain(value) for column, value in row.asDict().items()}
                    for row in spark.sql(sql).collect()
                ]
            finally:
                for name in tables:
                    spark.catalog.dropTempView(name)

        try:
            yield Engine("spark", "spark", query)
        finally:
            spark.stop()
