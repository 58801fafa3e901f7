// Dense convolution with filters of 3 x 3, "nc(h+r)(w+s), kcrs -> nkhw", as a product of pixels and
// filters. A sum runs over c, r and s, which lie at irregular distances in memory: a table holds
// the increment of the pointers for each element of a sum, so that a step of the inner loop costs
// one load from it, whatever the number of axes. After section 6.2 of the MAPL 2019 paper, and
// Philippe Tillet's post on extended tensor contractions.
//
//   build/bin/tile-run examples/tile/conv2d.mlir --backend=cpu --random=7 --check=interp

!images = memref<?x?x?x?xf32>
!ptr = !tile.ptr<f32>
!ptrs_x = tensor<32x8x!tile.ptr<f32>>
!ptrs_y = tensor<32x16x!tile.ptr<f32>>

// Sizes in elements: image and width of the input, plane and out_width of the output.
func.func @conv(%x: !ptr {tile.readonly}, %filter: memref<?x?xf32> {tile.readonly}, %y: !ptr,
                %table: memref<?xi32> {tile.readonly}, %image: i32, %width: i32, %plane: i32,
                %out_width: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32

  // rm = 32 * program_id(x) + 0 ... 32: pixels of the image program_id(z)
  %pm = tile.program_id x
  %pz = tile.program_id z
  %m0 = arith.muli %pm, %c32 : i32
  %m0s = tile.splat %m0 : i32 -> tensor<32xi32>
  %lane_m = tile.range 0 to 32 : tensor<32xi32>
  %rm = arith.addi %m0s, %lane_m : tensor<32xi32>
  %planes = tile.splat %plane : i32 -> tensor<32xi32>
  %in_m = arith.cmpi slt, %rm, %planes : tensor<32xi32>
  %in_m_col = tile.reshape %in_m : tensor<32xi1> -> tensor<32x1xi1>
  %in_x = tile.broadcast %in_m_col : tensor<32x1xi1> -> tensor<32x8xi1>

  // px[32, 8] = X + program_id(z) * image + (rm / out_width * width + rm % out_width)[:, newaxis]
  %out_widths = tile.splat %out_width : i32 -> tensor<32xi32>
  %widths = tile.splat %width : i32 -> tensor<32xi32>
  %h = arith.divui %rm, %out_widths : tensor<32xi32>
  %w = arith.remui %rm, %out_widths : tensor<32xi32>
  %row = arith.muli %h, %widths : tensor<32xi32>
  %pixel = arith.addi %row, %w : tensor<32xi32>
  %pixel_col = tile.reshape %pixel : tensor<32xi32> -> tensor<32x1xi32>
  %pixels = tile.broadcast %pixel_col : tensor<32x1xi32> -> tensor<32x8xi32>
  %image_start = arith.muli %pz, %image : i32
  %x_image = tile.addptr %x, %image_start : !ptr, i32
  %x_base = tile.splat %x_image : !ptr -> !ptrs_x
  %px = tile.addptr %x_base, %pixels : !ptrs_x, tensor<32x8xi32>

  // for (k = 0; k < C * 9; k += 8) { px += table[k]; sum += *px @ ^filter[n, k]; }
  %pn = tile.program_id y
  %n0 = arith.muli %pn, %c16 : i32
  %n = arith.index_cast %n0 : i32 to index
  %size_n = memref.dim %filter, %c0 : memref<?x?xf32>
  %size_k = memref.dim %filter, %c1 : memref<?x?xf32>
  %rk = tile.range 0 to 8 : tensor<8xi32>
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %sum, %px_end = scf.for %k = %c0 to %size_k step %c8 iter_args(%acc = %zero, %px_k = %px)
      -> (tensor<32x16xf32>, !ptrs_x) {
    %left = arith.subi %size_k, %k : index
    %left_i32 = arith.index_cast %left : index to i32
    %lefts = tile.splat %left_i32 : i32 -> tensor<8xi32>
    %in_k = arith.cmpi slt, %rk, %lefts : tensor<8xi32>
    %in_ks = tile.broadcast %in_k : tensor<8xi1> -> tensor<32x8xi1>
    %mask = arith.andi %in_x, %in_ks : tensor<32x8xi1>
    %delta = tile.load_view %table[%k] : memref<?xi32> -> tensor<8xi32>
    %deltas = tile.broadcast %delta : tensor<8xi32> -> tensor<32x8xi32>
    %px_next = tile.addptr %px_k, %deltas : !ptrs_x, tensor<32x8xi32>
    %a = tile.load %px_next mask %mask : !ptrs_x
    %b = tile.load_view %filter[%n, %k] : memref<?x?xf32> -> tensor<16x8xf32>
    %b_turned = tile.trans %b [1, 0] : tensor<16x8xf32>
    %next = tile.dot %a, %b_turned, %acc
        : tensor<32x8xf32>, tensor<8x16xf32>, tensor<32x16xf32>
    scf.yield %next, %px_next : tensor<32x16xf32>, !ptrs_x
  }

  // py[32, 16] = Y + (program_id(z) * N + rn)[newaxis, :] * plane + rm[:, newaxis]
  %channels = arith.index_cast %size_n : index to i32
  %n0s = tile.splat %n0 : i32 -> tensor<16xi32>
  %lane_n = tile.range 0 to 16 : tensor<16xi32>
  %rn = arith.addi %n0s, %lane_n : tensor<16xi32>
  %size_ns = tile.splat %channels : i32 -> tensor<16xi32>
  %in_n = arith.cmpi slt, %rn, %size_ns : tensor<16xi32>
  %channel_start = arith.muli %pz, %channels : i32
  %channel_starts = tile.splat %channel_start : i32 -> tensor<16xi32>
  %channel = arith.addi %channel_starts, %rn : tensor<16xi32>
  %plane_n = tile.splat %plane : i32 -> tensor<16xi32>
  %y_channel = arith.muli %channel, %plane_n : tensor<16xi32>
  %y_channels = tile.broadcast %y_channel : tensor<16xi32> -> tensor<32x16xi32>
  %rm_col = tile.reshape %rm : tensor<32xi32> -> tensor<32x1xi32>
  %y_pixels = tile.broadcast %rm_col : tensor<32x1xi32> -> tensor<32x16xi32>
  %y_offset = arith.addi %y_channels, %y_pixels : tensor<32x16xi32>
  %y_base = tile.splat %y : !ptr -> !ptrs_y
  %py = tile.addptr %y_base, %y_offset : !ptrs_y, tensor<32x16xi32>
  %in_ms = tile.broadcast %in_m_col : tensor<32x1xi1> -> tensor<32x16xi1>
  %in_ns = tile.broadcast %in_n : tensor<16xi1> -> tensor<32x16xi1>
  %in_y = arith.andi %in_ms, %in_ns : tensor<32x16xi1>
  tile.store %py, %sum mask %in_y : !ptrs_y
  return
}

// How far the element k = (c * 3 + r) * 3 + s of a sum is from the pixel.
func.func private @offset(%k: index, %plane: index, %width: index) -> index {
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %c = arith.divui %k, %c9 : index
  %rs = arith.remui %k, %c9 : index
  %r = arith.divui %rs, %c3 : index
  %s = arith.remui %rs, %c3 : index
  %channel = arith.muli %c, %plane : index
  %row = arith.muli %r, %width : index
  %pixel = arith.addi %row, %s : index
  %distance = arith.addi %channel, %pixel : index
  return %distance : index
}

func.func @main(%x: !images {einsum.example_shape = array<i64: 2, 5, 9, 8>},
                %filter: memref<?x?x3x3xf32> {einsum.example_shape = array<i64: 21, 5, 3, 3>},
                %y: !images {einsum.example_shape = array<i64: 2, 21, 7, 6>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %batch = memref.dim %x, %c0 : !images
  %channels = memref.dim %x, %c1 : !images
  %height = memref.dim %x, %c2 : !images
  %width = memref.dim %x, %c3 : !images
  %out_channels = memref.dim %y, %c1 : !images
  %out_height = memref.dim %y, %c2 : !images
  %out_width = memref.dim %y, %c3 : !images
  %plane = arith.muli %height, %width : index
  %image = arith.muli %channels, %plane : index
  %out_plane = arith.muli %out_height, %out_width : index
  %matrix = memref.collapse_shape %filter [[0], [1, 2, 3]]
      : memref<?x?x3x3xf32> into memref<?x?xf32>

  // table[k] = offset(k) - offset(k - 8), 8 being the step of the kernel; before the first step the
  // pointers are at the pixel. The pipeline frees the table.
  %reduction = memref.dim %matrix, %c1 : memref<?x?xf32>
  %table = memref.alloc(%reduction) : memref<?xi32>
  scf.for %k = %c0 to %reduction step %c1 {
    %here = func.call @offset(%k, %plane, %width) : (index, index, index) -> index
    %is_later = arith.cmpi uge, %k, %c8 : index
    %before = scf.if %is_later -> (index) {
      %previous = arith.subi %k, %c8 : index
      %there = func.call @offset(%previous, %plane, %width) : (index, index, index) -> index
      scf.yield %there : index
    } else {
      scf.yield %c0 : index
    }
    %distance = arith.subi %here, %before : index
    %increment = arith.index_cast %distance : index to i32
    memref.store %increment, %table[%k] : memref<?xi32>
  }

  %programs_m = arith.ceildivui %out_plane, %c32 : index
  %programs_n = arith.ceildivui %out_channels, %c16 : index
  %image_i32 = arith.index_cast %image : index to i32
  %width_i32 = arith.index_cast %width : index to i32
  %plane_i32 = arith.index_cast %out_plane : index to i32
  %out_width_i32 = arith.index_cast %out_width : index to i32
  tile.launch @conv grid(%programs_m, %programs_n, %batch)
      (%x, %matrix, %y, %table, %image_i32, %width_i32, %plane_i32, %out_width_i32)
      : !images, memref<?x?xf32>, !images, memref<?xi32>, i32, i32, i32, i32
  return
}
